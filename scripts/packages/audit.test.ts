import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { root } from './lockfile.ts'

/** A registry that knows one package, and answers the audit with `advisories`, or not at all. */
let advisories: object | undefined
let asked: number
let server: Server
let folder: string

beforeEach(async () => {
  asked = 0
  server = createServer((request, reply) => {
    const json = (body: object) => reply.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    if (request.method === 'GET')
      return json({
        name: 'left',
        'dist-tags': { latest: '1.0.0' },
        versions: { '1.0.0': { name: 'left', version: '1.0.0' } },
      })
    asked += 1
    if (advisories === undefined) return reply.writeHead(405).end()
    return json(advisories)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  folder = mkdtempSync(join(tmpdir(), 'tollgate-audit-'))
  const project = { name: 'fixture', version: '1.0.0', dependencies: { left: '1.0.0' } }
  const write = (file: string, content: object) => writeFileSync(join(folder, file), JSON.stringify(content))
  write('package.json', project)
  write('package-lock.json', {
    ...project,
    lockfileVersion: 3,
    packages: { '': project, 'node_modules/left': { version: '1.0.0', integrity: `sha512-${'A'.repeat(86)}==` } },
  })
  writeFileSync(
    join(folder, '.npmrc'),
    `registry=http://127.0.0.1:${(server.address() as AddressInfo).port}\naudit=false\n`,
  )
})
afterEach(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

function audit(): Promise<{ status: number; output: string }> {
  const args = [join(root, 'node_modules/tsx/dist/cli.mjs'), join(root, 'scripts/packages/audit.ts'), folder]
  // without the settings of the npm that runs the tests
  const env = { PATH: process.env['PATH'], HOME: folder, npm_execpath: process.env['npm_execpath'] }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { env }, (_error, stdout, stderr) =>
      resolve({ status: child.exitCode ?? -1, output: stdout + stderr }),
    )
  })
}

const advisory = (severity: string) => ({
  left: [{ id: 1, url: 'https://advisories.example/1', title: 'A hole', severity, vulnerable_versions: '<2.0.0' }],
})

test('the audit fails on a high finding and names the package', async () => {
  advisories = advisory('high')
  expect(await audit()).toMatchObject({ status: 1, output: expect.stringContaining('high: left') })
})

test('the audit reports a moderate finding and passes', async () => {
  advisories = advisory('moderate')
  expect(await audit()).toMatchObject({ status: 0, output: expect.stringContaining('"moderate":1') })
  expect(asked).toBeGreaterThan(0)
})

test('the audit passes and says so where the registry does not answer it', async () => {
  advisories = undefined
  expect(await audit()).toMatchObject({ status: 0, output: expect.stringContaining('not available here') })
  expect(asked).toBeGreaterThan(0)
})

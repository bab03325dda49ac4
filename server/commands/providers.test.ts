import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openListServer } from '../../test/support/listServer.ts'
import { parseProviders } from '../captcha/challenges/networks/providersFile.ts'
import type { Options } from './options.ts'
import { providersCommand } from './providers.ts'

let server: Awaited<ReturnType<typeof openListServer>>
let folder: string
beforeEach(async () => {
  server = await openListServer()
  folder = mkdtempSync(join(tmpdir(), 'tollgate-refresh-'))
  writeFileSync(join(folder, 'shipped.txt'), '# 6to4: https://rfc.example/3056, read 2026-01-01\n6to4 2002::/16\n')
})
afterEach(async () => {
  rmSync(folder, { recursive: true })
  await server.close()
})

async function run(options: Options = {}) {
  const command = providersCommand(server.sources, join(folder, 'shipped.txt'))
  if (!('runAlone' in command)) throw new Error('the command needs no database')
  return await command.runAlone(options)
}
const today = () => new Date().toISOString().slice(0, 10)

test('networks providers prints the list, with the tunnels of the one that is shipped', async () => {
  const { text, result, failed } = await run()
  expect([result['ok'], failed]).toEqual([true, false])
  expect(text).toContain('# left out, wider than a list may have or not of the internet: vultr 10.0.0.0/8\n')
  const providers = parseProviders(text)
  expect(providers.find(({ name }) => name === 'hetzner')?.origin?.date).toBe(today())
  expect(providers.map(({ name }) => name)).toEqual([...server.sources.map(({ name }) => name), '6to4'])
})

test('networks providers --out replaces the file in one step and keeps what it cannot read', async () => {
  const out = join(folder, 'providers.txt')
  await run({ out })
  const read = readFileSync(out, 'utf8')
  const old = `${read.replace(/^(# linode: .*, read ).*$/m, '$12026-01-01')}mine 203.0.113.0/24\n`
  writeFileSync(out, old)
  server.lists['linode'] = 500
  const { text, result, failed } = await run({ out })
  expect(failed).toBe(true)
  expect(text).toContain('linode was not refreshed: the server answered 500 (http://127.0.0.1:')
  expect(text).toContain(
    'Its ranges stay as they were on 2026-01-01.\nCheck that this machine can reach these addresses',
  )
  expect(result).toMatchObject({ ok: false, file: out, failures: [{ name: 'linode' }] })
  // the others were read today before, too
  expect(readFileSync(out, 'utf8')).toBe(old)
  expect(readdirSync(folder)).toEqual(['providers.txt', 'shipped.txt'])
})

test('a wrong file is not replaced', async () => {
  const out = join(folder, 'providers.txt')
  writeFileSync(out, 'aws AS16509\n')
  await expect(run({ out })).rejects.toThrow(`${out}, line 1: "AS16509" is not an address or a range`)
  expect(readFileSync(out, 'utf8')).toBe('aws AS16509\n')
  await expect(run({ out: join(folder, 'none', 'providers.txt') })).rejects.toThrow('ENOENT')
})

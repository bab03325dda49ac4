import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tollgate-alone-'))
  writeFileSync(join(root, 'count'), '0')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Adds one to the count in the file, with a pause in between, in a process of its own. Resolves with what it printed. */
async function addOne(last = ''): Promise<string> {
  const program = `
    import { readFileSync, writeFileSync } from 'node:fs'
    import { setTimeout as sleep } from 'node:timers/promises'
    import { alone } from ${JSON.stringify(new URL('alone.mjs', import.meta.url).href)}
    const [root] = process.argv.slice(1)
    await alone(root, () => alone(root, async () => {
      const count = Number(readFileSync(root + '/count', 'utf8'))
      await sleep(100)
      writeFileSync(root + '/count', String(count + 1))
      ${last}
    }))`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, root])
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  await once(child, 'close')
  return output
}

const count = () => Number(readFileSync(join(root, 'count'), 'utf8'))

test('processes that build in one folder do so one after the other, and say what they wait for', async () => {
  const outputs = await Promise.all(Array.from({ length: 4 }, () => addOne()))
  expect(count()).toBe(4)
  expect(outputs.filter((output) => output.includes('Waiting for process')).length).toBeGreaterThan(0)
  expect(outputs.join('')).not.toContain('Error')
  expect(existsSync(join(root, '.builds/in-use-by'))).toBe(false)
})

test('a process that was ended in between stops nobody, also if several wait', async () => {
  await addOne('process.kill(process.pid, "SIGKILL")')
  expect(existsSync(join(root, '.builds/in-use-by'))).toBe(true)
  await Promise.all(Array.from({ length: 4 }, () => addOne()))
  expect(count()).toBe(5)
})

test('a failure leaves the folder free', async () => {
  expect(await addOne('throw new Error("cannot be compiled")')).toContain('cannot be compiled')
  expect(existsSync(join(root, '.builds/in-use-by'))).toBe(false)
})

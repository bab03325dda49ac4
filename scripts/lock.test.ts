import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tollgate-lock-'))
  writeFileSync(join(root, 'count'), '0')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Adds one to the count in the file, with a pause in between, in a process of its own. */
async function addOne(last = ''): Promise<void> {
  const program = `
    import { readFileSync, writeFileSync } from 'node:fs'
    import { setTimeout as sleep } from 'node:timers/promises'
    import { locked } from ${JSON.stringify(new URL('lock.mjs', import.meta.url).href)}
    const [root] = process.argv.slice(1)
    await locked(root + '/lock', () => locked(root + '/lock', async () => {
      const count = Number(readFileSync(root + '/count', 'utf8'))
      await sleep(100)
      writeFileSync(root + '/count', String(count + 1))
      ${last}
    }))`
  await once(spawn(process.execPath, ['--input-type=module', '--eval', program, root], { stdio: 'ignore' }), 'close')
}

test.each([
  ['fails', 'throw new Error("cannot be compiled")', false],
  ['ends', 'process.exit(1)', false],
  ['was killed', 'process.kill(process.pid, "SIGKILL")', true],
])(
  'processes that build in one folder do so one after the other, also after one that %s',
  async (_how, last, isLeft) => {
    await addOne(last)
    expect(existsSync(join(root, 'lock'))).toBe(isLeft)
    await Promise.all(Array.from({ length: 10 }, () => addOne()))
    expect(readFileSync(join(root, 'count'), 'utf8')).toBe('11')
    expect(existsSync(join(root, 'lock'))).toBe(false)
  },
)

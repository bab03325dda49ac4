import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const script = fileURLToPath(new URL('backup.sh', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'tollgate backups '))
const earlier = Array.from(
  { length: 16 },
  (_, day) => `tollgate-2026-10-${String(day + 1).padStart(2, '0')}T020000Z.backup`,
)
for (const name of earlier) writeFileSync(join(directory, name), '')
afterAll(() => rmSync(directory, { recursive: true }))

/** Runs it with a shell command for Tollgate's command line, which gets `backup FILE`. */
const run = (command: string) =>
  spawnSync('sh', [script, directory, 'sh', '-c', command, 'tollgate'], { encoding: 'utf8' })

test('a backup that fails ends it with an error, and removes no earlier one', () => {
  expect(run('exit 3').status).toBe(3)
  expect(readdirSync(directory).toSorted()).toEqual(earlier)
})

test('the newest 14 backups are kept', () => {
  expect(run('[ "$1" = backup ] && touch "$2"')).toMatchObject({ status: 0, stderr: '' })
  const kept = readdirSync(directory).toSorted()
  expect(kept.slice(0, -1)).toEqual(earlier.slice(-13))
  expect(kept.at(-1)).toMatch(/^tollgate-\d{4}-\d\d-\d\dT\d{6}Z\.backup$/)
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NETWORKS } from './networks.ts'
import type { Options } from './options.ts'

/** Runs `networks check` on a file with this content. */
async function check(content: string, options: Options = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-check-'))
  const command = NETWORKS['networks check']
  if (!command || !('runAlone' in command)) throw new Error('there is no command networks check')
  try {
    writeFileSync(join(folder, 'list'), content)
    return await command.runAlone({ ...options, FILE: join(folder, 'list') })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('networks check prints a file from a published list, and what it left out', async () => {
  const list = '; a list\n192.0.2.0/24 ; SBL1\n224.0.0.0/3\n198.51.100.0-198.51.100.127 64500\n'
  const { text, result } = await check(list, { verdict: 'deny' })
  expect(text.split('\n')).toEqual([
    '# left out, wider than a list may have: 224.0.0.0/3',
    '192.0.2.0/24 deny',
    '198.51.100.0/25 deny 64500',
  ])
  expect(result).toEqual({ ok: true, ranges: 2, left_out: ['224.0.0.0/3'] })
  expect(await check(text)).toMatchObject({ result: { ok: true, ranges: 2, deny: 2 } })
})

test('networks check reports what is wrong, and prints no error into a list', async () => {
  await expect(check('example.com\n', { verdict: 'deny' })).rejects.toThrow('line 1: "example.com" is not an address')
  expect(await check('example.com\n', { verdict: 'deny', json: true })).toMatchObject({
    result: { ok: false, line: 1 },
  })
  await expect(check('', { verdict: 'block' })).rejects.toThrow('--verdict must be one of allow, dear, deny')
  expect(await check('192.0.2.0/24 deny\n192.0.2.9/24 allow\n')).toMatchObject({
    failed: true,
    text: expect.stringContaining('192.0.2.0/24 is deny in line 1 and allow in line 2. Remove one of the two lines.'),
  })
})

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openTestApp } from '../../test/support/app.ts'
import { readSignatures, type Signatures } from '../../test/support/signatures.ts'

/**
 * Nodes of two versions run side by side during an upgrade: the functions that the last released version calls keep
 * their parameters, their results and their status words. A function that has to change them gets a new name, and
 * with new words a new enum. `npx tsx scripts/schema.ts release` writes the file when a version is released.
 */
test('keeps the functions that the last released version calls', async () => {
  const released = JSON.parse(readFileSync('prisma/released.json', 'utf8')) as Signatures
  expect(Object.keys(released.functions)).toContain('utc_month()')
  expect(Object.keys(released.answers)).toContain('redeem_status')
  const app = await openTestApp()
  try {
    const { functions, answers } = await readSignatures(app.sql)
    expect(functions).toMatchObject(released.functions)
    expect(answers).toMatchObject(released.answers)
  } finally {
    await app.close()
  }
})

import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startServer, TEST_KEYS } from '../../../test/support/process.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { BUILD } from '../../kit/process/build.ts'
import { checkArchiveDirectory } from './checkDirectory.ts'

const app = testApp()

function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-archive-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

const check = (archiveDir?: string) =>
  checkArchiveDirectory({ prisma: app.ctx.prisma, config: { ...app.ctx.config, archiveDir } })

test('a directory that does not exist is created for the account of the service only, and the check leaves nothing in it', async () => {
  const directory = join(makeDirectory(), 'archive', 'decisions')
  await check(directory)
  expect(statSync(directory).mode & 0o777).toBe(0o700)
  await check(directory)
  expect(readdirSync(directory)).toEqual([])
  await check(undefined)
})

test('a path that is no directory, or that cannot be written, is refused with what to do', async () => {
  const parent = makeDirectory()
  const file = join(parent, 'file')
  writeFileSync(file, '')
  await expect(check(file)).rejects.toThrow(`ARCHIVE_DIR ${file} cannot be written (EEXIST). It is not a directory`)
  await expect(check(join(file, 'archive'))).rejects.toThrow('(ENOTDIR). It is below a file')

  const closed = join(parent, 'closed')
  mkdirSync(closed, { mode: 0o500 })
  chmodSync(parent, 0o755)
  // no mode of a file stops root
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(65_534)
  try {
    await expect(check(closed)).rejects.toThrow(/\(EACCES\)\. Give the account that runs the service the right/)
    await expect(check(join(closed, 'archive'))).rejects.toThrow('(EACCES)')
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
})

test('a directory whose files the service would show to everyone is refused, also behind a link', async () => {
  const message = 'are served to everyone'
  for (const directory of [BUILD, join(BUILD, 'console', 'assets', 'archive')])
    await expect(check(directory)).rejects.toThrow(message)
  const link = join(makeDirectory(), 'archive')
  symlinkSync(dirname(BUILD), link)
  await expect(check(join(link, basename(BUILD), 'archive'))).rejects.toThrow(message)
  await check(makeDirectory())
})

test('a missing directory that has archives is not created anew: the service does not start', async () => {
  const directory = join(makeDirectory(), 'unmounted')
  await app.sql.query(`insert into decision_archive (day, file, rows, sha256) values ('2026-01-01', 'x', 1, 'y')`)
  onTestFinished(() => void app.sql.query('delete from decision_archive'))
  await expect(check(directory)).rejects.toThrow('it contained the archive up to 2026-01-01. Mount it')
  const urls = { DATABASE_URL: app.databaseUrl, OWNER_DATABASE_URL: app.ownerDatabaseUrl }
  await expect(startServer({ ...urls, TOLLGATE_KEYS: TEST_KEYS, ARCHIVE_DIR: directory })).rejects.toThrow(
    `Tollgate did not start.\n\nARCHIVE_DIR ${directory} does not exist`,
  )
  expect(readdirSync(join(directory, '..'))).toEqual([])
}, 180_000)

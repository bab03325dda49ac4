import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { findPython } from '../../../scripts/python.mjs'
import { PYTHON } from './process.ts'
import { createSqlite } from './sqlite.ts'

const write = (file: string, statement: string) =>
  execFileSync(PYTHON, [
    '-c',
    'import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])',
    file,
    statement,
  ])

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const records of open.splice(0)) await records.close()
})

test.runIf(process.env['CI'] !== undefined || findPython())(
  'rows are counted as they come; a missing file or table has none, and an unreadable file is an error',
  async () => {
    const records = createSqlite('orders')
    open.push(records)
    expect(await records.count()).toBe(0)
    write(records.address, 'create table other (id)')
    expect(await records.count()).toBe(0)
    write(records.address, 'create table orders (id); insert into orders values (1), (2)')
    expect(await Promise.all([records.count(), records.count()])).toEqual([2, 2])
    write(records.address, 'drop table orders; create view orders as select * from gone')
    await expect(records.count()).rejects.toThrow('no such table')
    await expect(records.count()).rejects.toThrow('cannot be counted')
    await records.close()
    expect(existsSync(records.address)).toBe(false)
  },
)

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Records } from './postgresql.ts'
import { PYTHON } from './process.ts'

/** Answers each line of its input with the number of rows. */
const COUNT = `
import os, sqlite3, sys
file, table = sys.argv[1:]
for _ in sys.stdin:
    found = 0
    if os.path.exists(file):
        sql = sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=20)
        if sql.execute("select 1 from sqlite_master where name = ?", (table,)).fetchone():
            (found,) = sql.execute(f"select count(*) from {table}").fetchone()
        sql.close()
    print(found, flush=True)
`

/**
 * A merchant's SQLite file in a folder of its own. Node 20 has no SQLite, so one Python process does all the counting.
 */
export function createSqlite(table: string): Records {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-accept-'))
  const file = join(folder, 'records.sqlite3')
  const counter = spawn(PYTHON, ['-c', COUNT, file, table], { stdio: ['pipe', 'pipe', 'pipe'] })
  const waiting: Waiting[] = []
  let fault = ''
  counter.stderr.on('data', (chunk) => (fault += String(chunk)))
  createInterface(counter.stdout).on('line', (line) => waiting.shift()?.resolve(Number(line)))
  const fail = (error: unknown) => {
    for (const { reject } of waiting.splice(0)) reject(new Error(`the rows cannot be counted: ${String(error)}`))
  }
  counter.once('error', fail)
  counter.stdin.on('error', fail)
  const ended = once(counter, 'close').then(
    () => fail(fault),
    () => {},
  )

  return {
    address: file,
    count() {
      if (counter.exitCode !== null) return Promise.reject(new Error(`the rows cannot be counted: ${fault}`))
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        counter.stdin.write('\n')
      })
    },
    async close() {
      counter.stdin.end()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Waiting = { resolve: (count: number) => void; reject: (error: Error) => void }

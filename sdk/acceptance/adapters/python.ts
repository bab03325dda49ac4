import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The Python that starts merchants; the environment variable PYTHON names another one. */
export const PYTHON = process.env['PYTHON'] || 'python3'

/** The SDK's sources, without writing beside them. */
export const PYTHON_ENVIRONMENT = { PYTHONPATH: 'sdk/python/src', PYTHONDONTWRITEBYTECODE: '1', PYTHONUTF8: '1' }

const COUNT = `
import sqlite3, sys
sql = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
try:
    print(sql.execute(f"select count(*) from {sys.argv[2]}").fetchone()[0])
except sqlite3.OperationalError:
    print(0)
`

/** Rows of a table in a SQLite file, read by Python: Node 20 has no SQLite. */
export async function countRows(file: string, table: string): Promise<number> {
  const { stdout } = await run(PYTHON, ['-c', COUNT, file, table])
  return Number(stdout)
}

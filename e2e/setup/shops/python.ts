import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import type { Service } from '../service.ts'
import type { Shop } from './books.ts'

const run = promisify(execFile)
const PYTHON = process.env['PYTHON'] ?? 'python3'
const ENVIRONMENT = {
  PATH: process.env['PATH'],
  PYTHONPATH: 'sdk/python/src',
  PYTHONDONTWRITEBYTECODE: '1',
  PYTHONUTF8: '1',
}

/** Prints what is in a shop's records. */
const COUNT = `
import json, sqlite3, sys
sql = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
actions = [action for (action,) in sql.execute("select action from orders")]
print(json.dumps({"orders": actions.count("checkout"), "letters": actions.count("signup")}))
`

/** The shop in Python, a process of its own with its records in a file. */
export async function startPythonShop(
  service: Pick<Service, 'url'>,
  keys: { sitekey: string; secret: string },
): Promise<Shop> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-shop-'))
  const records = join(folder, 'shop.sqlite3')
  const child = spawn(PYTHON, ['-W', 'error', 'examples/shop-python/shop.py'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...ENVIRONMENT,
      TOLLGATE_URL: service.url,
      TOLLGATE_SITEKEY: keys.sitekey,
      TOLLGATE_SECRET: keys.secret,
      SHOP_DATABASE: records,
      SHOP_SESSION_KEY: 'a key of the tests alone',
      // what an outage costs each test
      SHOP_DEADLINE: '3',
    },
  })
  let said = ''
  child.stderr.on('data', (chunk) => (said += String(chunk)))
  const ended = once(child, 'exit')
  const url = await Promise.race([
    once(createInterface(child.stdout), 'line').then(([line]) => String(line)),
    ended.then(() => Promise.reject(new Error(`the shop did not open:\n${said}`))),
  ])
  return {
    url,
    async count() {
      const { stdout } = await run(PYTHON, ['-c', COUNT, records], { env: ENVIRONMENT })
      return JSON.parse(stdout) as Awaited<ReturnType<Shop['count']>>
    },
    async close() {
      child.kill()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

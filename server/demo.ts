import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { seed } from '../prisma/seed.ts'
import { admitOperator } from './accounts/access.ts'
import { rotateSecret } from './accounts/sites/secrets/rotate.ts'
import { verifySecret } from './accounts/sites/secrets/verify.ts'
import type { Log } from './kit/log.ts'
import type { Opened } from './kit/service.ts'

type Credentials = { sitekey: string; secret: string }

/** Runs the evaluation: the seeded tenants, and the demo shop as the merchant that it is, in a process of its own. */
export async function startDemo(service: Opened, log: Log): Promise<{ url: string; close(): Promise<void> }> {
  const { config } = service.ctx
  const { sitekey, secret } = await credentials(service)
  const child = fork(fileURLToPath(new URL(`../e2e/shop${extname(import.meta.url)}`, import.meta.url)), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: {
      ...process.env,
      SHOP_PORT: String(config.shopPort),
      SHOP_HOST: config.host,
      SHOP_HOSTNAME: 'localhost',
      SHOP_DATABASE_URL: await shopDatabase(service),
      TOLLGATE_URL: config.publicUrl,
      TOLLGATE_API_URL: `http://127.0.0.1:${config.port}`,
      TOLLGATE_SITEKEY: sitekey,
      TOLLGATE_SECRET: secret,
    },
  })
  child.on('exit', (code) => {
    if (code)
      log.error(
        { code },
        `the demo shop ended: is port ${config.shopPort} taken? Choose another: SHOP_PORT=3011 npm start`,
      )
  })
  return { url: `http://localhost:${config.shopPort}`, close: () => end(child) }
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}

/** The shop's keys. Its secret is stored by hash only, like any other: its text is kept beside the data, for the shop. */
async function credentials({ ctx }: Opened): Promise<Credentials> {
  const file = join(ctx.config.dataDir, 'demo.json')
  const operator = admitOperator(ctx, 'seed')
  const seeded = await seed(operator)
  const stored = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Credentials) : undefined
  if (stored?.sitekey === seeded.site.sitekey && (await verifySecret(ctx, stored.secret))) return stored
  const secret = seeded.secret ?? (await rotateSecret(operator, seeded.site, 0)).secret
  const fresh = { sitekey: seeded.site.sitekey, secret }
  writeFileSync(file, JSON.stringify(fresh), { mode: 0o600 })
  return fresh
}

/** A database of the shop's own; where the server is somebody else's, a schema of its own. */
async function shopDatabase({ cluster, database }: Opened): Promise<string> {
  if (cluster) {
    await cluster.createDatabase('shop')
    return cluster.url('shop')
  }
  await database.pool.query('create schema if not exists shop')
  const url = new URL(database.url)
  url.searchParams.set('options', '-c search_path=shop')
  return url.href
}

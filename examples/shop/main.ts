import { describe } from './context.ts'
import { startShop } from './shop.ts'

const required = ['TOLLGATE_SITEKEY', 'TOLLGATE_SECRET', 'SHOP_DATABASE_URL', 'SHOP_SESSION_KEY'] as const
const { env } = process
const missing = required.filter((name) => !env[name])
if (missing.length > 0) {
  process.stderr.write(`These environment variables are missing: ${missing.join(', ')}\n`)
  process.exit(1)
}
const [sitekey = '', secret = '', databaseUrl = '', sessionKey = ''] = required.map((name) => env[name])

const log: Parameters<typeof startShop>[0]['log'] = (event, facts) =>
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), event, ...facts })}\n`)

try {
  const shop = await startShop({
    port: Number(env['SHOP_PORT'] || 3001),
    host: env['SHOP_HOST'] || '127.0.0.1',
    hostname: env['SHOP_HOSTNAME'] || 'localhost',
    tollgateUrl: env['TOLLGATE_URL'] || 'http://localhost:3000',
    tollgateApiUrl: env['TOLLGATE_API_URL'] || undefined,
    sitekey,
    secret,
    databaseUrl,
    sessionKey,
    log,
  })
  // `disconnect`: the process that started this one has ended
  for (const signal of ['SIGTERM', 'SIGINT', 'disconnect'] as const)
    process.once(signal, () => void shop.close().finally(() => process.exit()))
  // a parent process reports the address itself
  if (process.send === undefined) log('shop-open', { url: shop.url })
} catch (error) {
  log('shop-failed', describe(error))
  process.exit(1)
}

import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { Tollgate } from '@tollgate/node'
import { readAssets } from './shop/assets.ts'
import { ConfigError, readOptions, type ShopOptions } from './shop/config.ts'
import { openDatabase } from './shop/database.ts'
import { Exemptions } from './shop/exemptions.ts'
import { History } from './shop/history.ts'
import { describeError, logToStderr } from './shop/log.ts'
import { Reports } from './shop/reports.ts'
import { createTables, keepSessionKey } from './shop/schema.ts'
import { serveShop } from './shop/serve.ts'
import { Store } from './shop/store.ts'

// A small merchant, whole: it sells three bicycle parts, keeps its own records in its own database, and asks Tollgate
// whether there is a person behind a form. Read it in the order shop/checkout.ts, shop/refusals.ts, shop/store.ts;
// what may come afterwards is in shop/exempt.ts and shop/report.ts.

/** A visitor is waiting for the page. */
const PATIENCE_MS = 8_000

/** Milliseconds that open requests get to finish when the shop closes. */
const FAREWELL_MS = 2_000

/**
 * Starts the shop and resolves once it listens. `close` lets open requests finish for two seconds.
 * @throws DatabaseOutage if its database cannot be reached, TypeError if Tollgate's address or keys are wrong, or the error
 * of listening, such as EADDRINUSE
 */
export async function startShop(options: ShopOptions): Promise<{ url: string; close(): Promise<void> }> {
  const { hostname, sitekey, secret, tollgateUrl, patience: deadline = PATIENCE_MS, log = logToStderr } = options
  const database = openDatabase(options.databaseUrl, log)
  try {
    await createTables(database)
    const shop = {
      store: new Store(database),
      history: new History(database),
      exemptions: new Exemptions(database),
      reports: new Reports(database),
      tollgate: new Tollgate({ url: options.tollgateApiUrl ?? tollgateUrl, sitekey, secret, deadline }),
      hostname,
      log,
      sitekey,
      tollgateUrl,
      sessionKey: options.key ?? (await keepSessionKey(database)),
      assets: readAssets(),
    }
    const limits = { requestTimeout: 10_000, headersTimeout: 5_000, connectionsCheckingInterval: 1_000 }
    const server = createServer(limits, serveShop(shop))
    server.listen(options.port, options.host)
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined

    return {
      url: `http://${hostname}:${port}`,
      async close() {
        const closed = once(server, 'close')
        server.close()
        const farewell = setTimeout(() => server.closeAllConnections(), FAREWELL_MS)
        await closed
        clearTimeout(farewell)
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

async function main(): Promise<void> {
  const opening = startShop(readOptions(process.env))
  let closing = false
  const close = async () => {
    if (closing) return
    closing = true
    await (await opening).close()
    process.exit()
  }
  // A parent that forked the shop and went away takes it along.
  for (const signal of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.on(signal, () => void close())
  const { url } = await opening
  // a parent reports for itself where its shop is
  if (process.send === undefined) logToStderr('shop-open', { url })
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  main().catch((error: unknown) => {
    if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`)
    else logToStderr('shop-failed', describeError(error))
    process.exit(1)
  })
}

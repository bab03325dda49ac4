import type { FastifyInstance } from 'fastify'
import { networkLists } from '../captcha/challenges/networks/lists.ts'
import { loadProviders } from '../captcha/challenges/networks/providers.ts'
import type { Context } from '../kit/context.ts'
import { DEPLOYMENT } from '../kit/db/invalidations.ts'
import { isPassing } from '../kit/db/outage.ts'

/** The time within which a change of the file, or a change of the deployment's rules whose message is lost, is noticed. */
const REFRESH_MS = 5000

/**
 * Reads the lists of networks before the first request, and keeps them up to date until the app is closed; the list of providers is
 * read once, and the app does not start with a wrong one.
 */
export function followNetworkLists(app: FastifyInstance, ctx: Context): void {
  const lists = networkLists(ctx)
  const report = (err: unknown) => {
    const level = isPassing(err) ? 'debug' : 'error'
    ctx.log[level]({ err }, 'the lists of networks could not be read; those read before stay in use')
  }
  let timer: NodeJS.Timeout | undefined
  let reading: Promise<void> = Promise.resolve()
  /** One after the other, so that an older answer never replaces a newer one. */
  const readRules = () => (reading = reading.then(() => lists.readRules()).catch(report))

  app.addHook('onReady', async () => {
    loadProviders(ctx)
    await Promise.all([lists.readRules(), lists.readFile()])
    ctx.invalidations.subscribe((changed) => {
      if (timer && (changed === undefined || changed === DEPLOYMENT)) void readRules()
    })
    const again = async () => {
      await Promise.all([readRules(), lists.readFile().catch(report)])
      timer &&= setTimeout(() => void again(), REFRESH_MS).unref()
    }
    timer = setTimeout(() => void again(), REFRESH_MS).unref()
  })
  app.addHook('onClose', async () => {
    clearTimeout(timer)
    timer = undefined
    await reading
  })
}

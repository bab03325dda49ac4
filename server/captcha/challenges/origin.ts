import type { VisitorCtx } from '../../accounts/access.ts'
import type { Context } from '../../kit/context.ts'
import { AppError } from '../../kit/error.ts'

const ORIGIN = /^https?:\/\/([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::(\d{1,5}))?$/

/** The host of an exact, lower-case `http(s)://host[:port]`; undefined for everything else, `null` included. */
export function originHost(origin: string | undefined): string | undefined {
  if (origin === undefined) return undefined
  const [, host, port] = ORIGIN.exec(origin) ?? []
  return port !== undefined && Number(port) > 65_535 ? undefined : host
}

/**
 * Throws unless the page's host is the intent's hostname and still on the site's list. The console's own host needs no list for
 * verifications that a member makes in it (captcha/playground). `detail`: of the error.
 */
export function assertOrigin(ctx: VisitorCtx, hostname: string, inConsole: boolean, detail?: 'doctor'): void {
  const isAllowed = ctx.site.allows(hostname) || (inConsole && hostname === consoleHost(ctx))
  if (isAllowed && originHost(ctx.visitor.origin) === hostname) return
  throw new AppError('origin-not-allowed', detail && { detail })
}

/** The host of the console. */
export const consoleHost = ({ config }: Pick<Context, 'config'>): string => new URL(config.publicUrl).hostname

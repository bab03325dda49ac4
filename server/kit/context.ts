import type { PrismaClient } from '../../prisma/client/client.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Road } from './db.ts'
import type { Keyring } from './keyring.ts'
import type { Limiter } from './limiter.ts'
import type { Log } from './log.ts'
import type { Mail } from './mail.ts'
import type { Notices } from './notices.ts'

/** What every verb may use. The keys to a site, a visitor or a tenant are added by accounts/access.ts only. */
export type Context = Readonly<{
  config: Config
  log: Log
  clock: Clock
  keyring: Keyring
  limiter: Limiter
  road: Road

  prisma: PrismaClient
  mail: Mail
  notices: Notices
}>

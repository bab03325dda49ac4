import type { PrismaClient } from '../../prisma/client/client.ts'
import type { Attempts } from './attempts.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { HotPool } from './db.ts'
import type { Invalidations } from './invalidations.ts'
import type { Keyring } from './keyring.ts'
import type { Limiter } from './limiter.ts'
import type { Log } from './log.ts'
import type { Mail } from './mail.ts'
import type { Resources } from './resources.ts'

/** The services that every function can use. Only accounts/access.ts extends it to the context of a site, a visitor or a tenant. */
export type Context = Readonly<{
  config: Config
  log: Log
  clock: Clock
  keyring: Keyring
  limiter: Limiter
  attempts: Attempts
  /** For the prepared statements of the verification path; everything else goes through `prisma`. */
  hotPool: HotPool
  /** State of this process: batch queues, write buffers, caches, counters. */
  resources: Resources
  prisma: PrismaClient
  mail: Mail
  invalidations: Invalidations
}>

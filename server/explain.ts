import type { Config } from './kit/config/config.ts'
import { isAway } from './kit/db/patience.ts'
import { AppError, OperatorError } from './kit/error.ts'
import { settingsFor } from './kit/process/commandLine.ts'
import { explainPort } from './kit/process/ports.mjs'

/** What a person can do about an error of the system, by its code. */
function remedyOf({ code, message, path }: NodeJS.ErrnoException): string | undefined {
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return `${message}. Give the account that runs the service the rights to ${path ?? 'it'}, or choose a DATA_DIR that it can write to.`
    case 'EROFS':
      return `${message}. That file system can only be read. Choose a DATA_DIR that you can write to.`
    case 'ENOSPC':
    case 'EDQUOT':
    case '53100':
      return 'The disk is full. Free some space and start again; committed data is safe.'
    case 'EMFILE':
    case 'ENFILE':
      return `${message}. Raise the limit of open files (ulimit -n) and start again.`
    case 'ENOMEM':
      return `${message}. Free some memory and start again; committed data is safe.`
    case undefined:
    default:
      return undefined
  }
}

/** What is wrong and what to do, for the operator. Only what nobody can repair is a stack trace. */
export function explain(error: unknown, config?: Config): string {
  if (error instanceof OperatorError) return error.message
  if (error instanceof AppError && error.code !== 'unavailable') return error.message
  if (!(error instanceof Error)) return String(error)
  const remedy =
    explainPort(error, { shopPort: config?.shopPort, settings: config ? settingsFor(config) : '' }) ?? remedyOf(error)
  if (remedy !== undefined) return remedy
  if (isAway(error))
    return 'The database did not answer in time, or ended the connection. Nothing is half done: check that it is running and has room, and try again.'
  return error.stack ?? error.message
}

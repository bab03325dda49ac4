// Settings, the database and the client. A process has one of each.
import { Tollgate } from '@tollgate/node'
import pg from 'pg'

/** The action and the hostname of the form. Use constants, never values of a form or the Host header. */
export const ACTION = 'checkout'
export const HOSTNAME = 'localhost'

export const url = read('TOLLGATE_URL')
export const sitekey = read('TOLLGATE_SITEKEY')
/** The key that hashes sessions, at least 16 bytes. It is your own, not the Tollgate secret. */
export const sessionKey = read('SESSION_KEY')
export const port = Number(process.env['PORT'] ?? 4000)

/** A visitor waits for every call, so all its tries together take at most 8 seconds. */
export const tollgate = new Tollgate({ url, sitekey, secret: read('TOLLGATE_SECRET'), deadline: 8_000 })

export const db = new pg.Pool({ connectionString: read('DATABASE_URL'), max: 8 })
// an idle connection that breaks must not end the process
db.on('error', (error) => console.error(`database: ${error.name}`))

function read(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`the environment variable ${name} is missing`)
  return value
}

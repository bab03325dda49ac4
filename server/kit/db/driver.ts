import { connect as openSocket } from 'node:net'
import pg from 'pg'
import { optionsOf, SESSION_SETTINGS } from './databaseSettings.ts'

/**
 * The connection to the database failed: not reached, lost, or no answer in time. The driver reports these with plain
 * errors that only their text tells apart. The code, number and call are those of a socket that was closed, by which Prisma
 * recognises a lost connection as well.
 */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  readonly code = 'ECONNRESET'
  readonly errno = -104
  readonly syscall = 'query'
  /** It was closed before the statement ran: nothing has changed. */
  readonly ranNothing: boolean

  constructor(cause: unknown, { ranNothing = false } = {}) {
    super('the connection to the database failed', { cause })
    this.ranNothing = ranNothing
  }
}

/** What the server answered stays as it is. A TypeError is a mistake in a call. */
const classed = (error: unknown): unknown =>
  !error || error instanceof pg.DatabaseError || error instanceof TypeError || error instanceof ConnectionError
    ? error
    : new ConnectionError(error, { ranNothing: (error as NodeJS.ErrnoException).code === 'EPIPE' })

type Callback = (error: unknown, ...rest: unknown[]) => void
type Call = (...args: unknown[]) => unknown

/** The same method, with a callback or a promise, whose outcome goes through the function that `begin` returns. */
function watching(method: Call, begin: (client: Client) => (error: unknown) => unknown): Call {
  return function (this: Client, ...args) {
    const errorOf = begin(this)
    const callback = args.at(-1)
    if (typeof callback === 'function')
      return method.apply(this, [
        ...args.slice(0, -1),
        (error: unknown, ...rest: unknown[]) => (callback as Callback)(errorOf(error), ...rest),
      ])
    const result = method.apply(this, args)
    const settle = (error: unknown, out?: unknown) => {
      const failure = errorOf(error)
      if (failure) throw failure
      return out
    }
    return result instanceof Promise ? result.then((out: unknown) => settle(undefined, out), settle) : result
  }
}

/**
 * `answerMillis`: after this time without an answer, a statement is cancelled. `settings`: of the connection, each `name=value`, besides
 * those that each has. `isPooled`: it leads to a pooler, which keeps no settings.
 */
type Options = { answerMillis?: number; settings?: readonly string[]; isPooled?: boolean }
export type ClientOptions = Omit<pg.ClientConfig, 'query_timeout' | 'options'> & Options
export type PoolOptions = Omit<pg.PoolConfig, 'query_timeout' | 'options'> & Options

/**
 * A pool of connections whose failures are `pg.DatabaseError` (of the server) or `ConnectionError`. A statement for which it was given a
 * connection that had just been closed is sent once more, on another one.
 */
export class Pool extends pg.Pool {
  constructor(options: PoolOptions) {
    // typed as a class without parameters, but called with the options
    super({ Client: Client as unknown as new () => pg.ClientBase, ...options })
  }
}

/** How long a cancelled statement may take to end before its connection is given up. */
const CANCEL_MS = 400

/**
 * The connections of the service: each has the settings that it relies on, whatever is set for the role or the database.
 *
 * Reports what the driver passes over: a commit that the synchronous standby did not confirm. PostgreSQL reports success
 * with a warning if such a wait is cancelled: the transaction has committed on this server, and is lost if the standby takes
 * over. To the caller that is a statement without an answer: it may have committed, and a repetition will find out.
 *
 * A statement without an answer in time is cancelled at the server before its caller gets the error. Closing the connection
 * would not end it: a commit that waits for a standby would stay as a server process for each caller that gave up.
 */
export class Client extends pg.Client {
  readonly #answerMillis: number | undefined
  #unconfirmed: unknown
  #completed = false

  constructor({ answerMillis, settings = [], isPooled = false, ...options }: ClientOptions) {
    super(options)
    this.#answerMillis = answerMillis
    // of the connection string or of PGOPTIONS; of two values of a setting, the later one counts
    const { connectionParameters: start } = this as unknown as { connectionParameters: { options?: string } }
    if (!isPooled) start.options = `${start.options ?? ''} ${optionsOf([...SESSION_SETTINGS, ...settings])}`.trim()
    this.connection.on('commandComplete', () => {
      this.#completed = true
    })
    // the routine of the source is the only name of this warning that no setting translates
    this.on('notice', (notice) => {
      if (notice.routine === 'SyncRepWaitForLSN') this.#unconfirmed = new Error(notice.message)
    })
  }

  /** Begins to watch a statement; the result turns its error, if any, into the one that the caller gets. */
  watch(): (error: unknown) => unknown {
    this.#completed = false
    let late: ConnectionError | undefined
    let timer: NodeJS.Timeout | undefined
    if (this.#answerMillis !== undefined)
      timer = setTimeout(() => {
        late = new ConnectionError(new Error('no answer in time'))
        this.#cancel()
        timer = setTimeout(() => this.connection.stream.destroy(), CANCEL_MS)
      }, this.#answerMillis)
    return (error) => {
      clearTimeout(timer)
      const unconfirmed = this.#unconfirmed
      this.#unconfirmed = undefined
      if (isClosure(error)) return new ConnectionError(error, { ranNothing: !this.#completed })
      // an answer after the cancellation comes with a connection that the signal may still be on its way to
      return classed(error) ?? late ?? (unconfirmed && new ConnectionError(unconfirmed))
    }
  }

  /** Asks the server to cancel the current statement: a message on a connection of its own, as the protocol has it. */
  #cancel(): void {
    const { processID, secretKey } = this as unknown as { processID: number | null; secretKey: number | null }
    if (processID === null || secretKey === null) return
    const message = Buffer.alloc(16)
    message.writeInt32BE(16, 0)
    message.writeInt32BE(80_877_102, 4)
    message.writeInt32BE(processID, 8)
    message.writeInt32BE(secretKey, 12)
    const socket = this.host.startsWith('/')
      ? openSocket(`${this.host}/.s.PGSQL.${this.port}`)
      : openSocket(this.port, this.host)
    socket.on('error', () => {})
    socket.setTimeout(CANCEL_MS, () => socket.destroy())
    socket.end(message)
  }
}

/**
 * Whether the server closed the connection by a message: 57P01 when it is shut down or told to, 57P05 after an idle time. A statement
 * commits after the message that it is complete, so before that one it has changed nothing.
 */
const isClosure = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === '57P01' || error.code === '57P05')

/** A repetition that begins later than this would end after the caller has been answered. */
const REPEAT_MS = 500

/** The same method, which repeats a call whose connection was closed before the statement ran. */
function repeating(method: Call): Call {
  return async function (this: Pool, ...args) {
    const began = performance.now()
    try {
      return await method.apply(this, args)
    } catch (reason) {
      const error = classed(reason)
      if (error instanceof ConnectionError && error.ranNothing && performance.now() - began < REPEAT_MS)
        return method.apply(this, args)
      throw error
    }
  }
}

const { query } = pg.Client.prototype as unknown as { query: Call }
const { connect, query: queryOnce } = pg.Pool.prototype as unknown as { connect: Call; query: Call }
Object.assign(Client.prototype, { query: watching(query, (client) => client.watch()) })
Object.assign(Pool.prototype, {
  connect: watching(connect, () => (error) => error && new ConnectionError(error)),
  query: repeating(queryOnce),
})

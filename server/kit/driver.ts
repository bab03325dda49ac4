import pg from 'pg'

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

  constructor(cause: unknown) {
    super('the connection to the database failed', { cause })
  }
}

/** What the server answered stays as it is. A TypeError is a mistake in a call. */
const classed = (error: unknown): unknown =>
  !error || error instanceof pg.DatabaseError || error instanceof TypeError || error instanceof ConnectionError
    ? error
    : new ConnectionError(error)

type Callback = (error: unknown, ...rest: unknown[]) => void
type Call = (...args: unknown[]) => unknown

/** The same method, with a callback or a promise, that fails with classed errors only. */
function classing(method: Call): Call {
  return function (this: unknown, ...args) {
    const callback = args.at(-1)
    if (typeof callback === 'function')
      return method.apply(this, [
        ...args.slice(0, -1),
        (error: unknown, ...rest: unknown[]) => (callback as Callback)(classed(error), ...rest),
      ])
    const result = method.apply(this, args)
    return result instanceof Promise
      ? result.catch((error: unknown) => {
          throw classed(error)
        })
      : result
  }
}

/** A pool of connections whose failures are `pg.DatabaseError` (of the server) or `ConnectionError`. */
export class Pool extends pg.Pool {
  constructor(options: pg.PoolConfig) {
    super({ Client, ...options })
  }
}

class Client extends pg.Client {}

const { query } = pg.Client.prototype as unknown as { query: Call }
const { connect } = pg.Pool.prototype as unknown as { connect: Call }
Object.assign(Client.prototype, { query: classing(query) })
Object.assign(Pool.prototype, { connect: classing(connect) })

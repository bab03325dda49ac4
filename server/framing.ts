import { once } from 'node:events'
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { wireError } from './api/errors.ts'
import { newRequestId } from './kit/crypto/ids.ts'
import { AppError } from './kit/error.ts'

/** The maximum of pending replies per connection. The few clients that pipeline send fewer requests at once. */
const MOST_OWED = 16

/**
 * The state of a connection: its latest request and the pending replies. The replies are in an array: V8 makes the table of a Set
 * anew after some additions, the former table still refers to what was in it, and once it is old, its replies and those of the
 * tables after it stay until a collection of all memory, which stops requests for 40 to 70 ms.
 */
type Connection = { latest?: IncomingMessage; owed: ServerResponse[]; broken: boolean }

function badRequest(headers: Readonly<Record<string, string>>): string {
  const { status, body } = wireError(new AppError('bad-request'))
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nX-Request-Id: ${newRequestId()}\r\nCache-Control: no-store\r\n${lines.join('')}` +
    `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
  )
}

/**
 * Requests that Node's parser refuses never reach a route: they are answered here, as the contract requires, or the
 * connection is closed. Complete requests before it on the same connection are answered first. `headers` are added to
 * these replies.
 */
export function createFraming(headers: Readonly<Record<string, string>>) {
  const connections = new WeakMap<Duplex, Connection>()
  const open = new Set<Connection>()

  function connectionOf(socket: Duplex): Connection {
    const known = connections.get(socket)
    if (known) return known
    const connection: Connection = { owed: [], broken: false }
    connections.set(socket, connection)
    open.add(connection)
    socket.once('close', () => open.delete(connection))
    return connection
  }

  /** Node's `close` of a reply. */
  function settle(this: ServerResponse): void {
    const { owed } = connectionOf(this.req.socket)
    owed.splice(owed.indexOf(this), 1)
  }

  return {
    /** Tracks the pending requests of a connection. */
    follow(server: Server): void {
      server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
        const connection = connectionOf(request.socket)
        connection.latest = request
        connection.owed.push(response)
        response.on('close', settle)
      })
    },

    /** The pending replies of all connections. */
    pending: (): ServerResponse[] => [...open].flatMap(({ owed }) => owed),

    isOwed: (socket: Duplex): boolean => connectionOf(socket).owed.length > 0,

    /**
     * Whether a connection has sent more requests than it may before their answers: Node hands over all that arrived
     * together, and each holds memory until the client reads.
     */
    isCrowded: (socket: Duplex): boolean => socket.destroyed || connectionOf(socket).owed.length > MOST_OWED,

    /** Node's `clientError`. */
    async refuse(fault: NodeJS.ErrnoException, socket: Duplex): Promise<void> {
      if (!socket.writable || fault.code === 'ECONNRESET' || fault.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
        socket.destroy()
        return
      }
      const connection = connectionOf(socket)
      // the bytes after the error are errors as well
      if (connection.broken) return
      connection.broken = true
      const { latest } = connection
      const replies = [...connection.owed]
      const ownReply = latest?.complete === false ? replies.find((reply) => reply.req === latest) : undefined
      const earlier = replies.filter((reply) => reply !== ownReply)
      await Promise.all(earlier.map((reply) => once(reply, 'close')))
      // a request that was answered before its body became malformed is done
      const answered = latest?.complete === false && (!ownReply || ownReply.headersSent)
      if (!socket.writable) return
      if (answered) socket.end()
      else socket.end(badRequest(headers))
    },
  }
}

export type Framing = ReturnType<typeof createFraming>

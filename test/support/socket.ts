import { connect, type Socket } from 'node:net'

/** A reply as it came over the wire; header names in lower case. */
export type RawReply = { status: number; headers: Map<string, string>; body: string }

export type Exchange = {
  replies: RawReply[]
  /** The bytes after the last complete reply. */
  rest: string
  /** Whether the server closed the connection before the timeout. */
  closed: boolean
}

/** Parses complete replies at the start of the text; `bodiless`: how many of them answer HEAD. */
export function readReplies(text: string, bodiless = 0): { replies: RawReply[]; rest: string } {
  const replies: RawReply[] = []
  let rest = text
  for (;;) {
    const end = rest.indexOf('\r\n\r\n')
    const [statusLine = '', ...lines] = rest.slice(0, Math.max(0, end)).split('\r\n')
    const status = /^HTTP\/1\.1 (\d{3})(?: |$)/.exec(statusLine)?.[1]
    if (end < 0 || status === undefined) return { replies, rest }
    const headers = new Map(
      lines.map((line): [string, string] => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
      }),
    )
    const informs = Number(status) < 200
    const length = informs || replies.length < bodiless ? 0 : Number(headers.get('content-length') ?? 0)
    if (rest.length < end + 4 + length) return { replies, rest }
    if (!informs) replies.push({ status: Number(status), headers, body: rest.slice(end + 4, end + 4 + length) })
    rest = rest.slice(end + 4 + length)
  }
}

/**
 * Sends bytes (a string: latin1; a number: that many milliseconds of silence) on a new connection and collects the
 * replies until the server closes it, or `patience` milliseconds have passed. `from`: the local loopback address.
 */
export function exchange(
  port: number,
  parts: readonly (string | Buffer | number)[],
  options: { halfClose?: boolean; patience?: number; bodiless?: number; from?: string } = {},
): Promise<Exchange> {
  return new Promise((resolve) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, localAddress: options.from })
    let text = ''
    const finish = (closed: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ ...readReplies(text, options.bodiless), closed })
    }
    const timer = setTimeout(() => finish(false), options.patience ?? 5000)
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => (text += chunk))
    socket.on('end', () => finish(true))
    socket.on('error', () => finish(true))
    const send = (i: number): void => {
      const part = parts[i]
      if (socket.destroyed) return
      if (part === undefined) {
        if (options.halfClose) socket.end()
      } else if (typeof part === 'number') {
        setTimeout(send, part, i + 1)
      } else {
        socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part)
        send(i + 1)
      }
    }
    socket.on('connect', () => send(0))
  })
}

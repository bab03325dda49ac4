import { connect, type Socket } from 'node:net'

export type Reply = { status: number; body: string }

const HEAD_END = '\r\n\r\n'

/**
 * One keep-alive connection with one request at a time, on a bare socket: node:http's client costs as much CPU as the
 * server that it measures, on a machine that both share. It reads replies with a content-length only, which is what the
 * API sends.
 */
export class Connection {
  readonly #socket: Socket
  #received = ''
  closed = false
  #waiting: { resolve(reply: Reply): void; reject(error: Error): void } | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    // every byte is one character, so that lengths are lengths in bytes
    socket.setEncoding('latin1')
    socket.on('data', (text) => this.#read(String(text)))
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => this.#fail(new Error('the connection was closed')))
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1' })
      socket.once('error', reject)
      socket.once('connect', () => resolve(new Connection(socket)))
    })
  }

  /** Sends a complete request, head and body, and resolves with its reply. Rejects when the connection is lost. */
  send(request: string): Promise<Reply> {
    if (this.closed) return Promise.reject(new Error('the connection was closed'))
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#socket.write(request, 'latin1')
    })
  }

  close(): void {
    this.#waiting = undefined
    this.#socket.destroy()
  }

  #read(text: string): void {
    this.#received = this.#received === '' ? text : this.#received + text
    const headEnd = this.#received.indexOf(HEAD_END)
    if (headEnd < 0) return
    // the service closes the connection after some refusals
    if (/\r\nconnection: close/i.test(this.#received.slice(0, headEnd))) this.closed = true
    const length = /\r\ncontent-length: (\d+)/i.exec(this.#received)
    const end = headEnd + HEAD_END.length + Number(length?.[1] ?? 0)
    if (this.#received.length < end) return
    const reply = { status: Number(this.#received.slice(9, 12)), body: this.#received.slice(headEnd + 4, end) }
    this.#received = this.#received.slice(end)
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.resolve(reply)
  }

  #fail(error: Error): void {
    this.closed = true
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.reject(error)
  }
}

/** A request as bytes of HTTP/1.1, in ASCII. */
export function post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): string {
  const text = JSON.stringify(body)
  let lines = ''
  for (const [name, value] of Object.entries(headers)) lines += `${name}: ${value}\r\n`
  return `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n${lines}\r\n${text}`
}

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/**
 * Where a connection is cut: before the request is passed on, as soon as it has been, when the reply arrives, or in the middle
 * of the reply.
 */
export type Cut = 'before' | 'after' | 'reply' | 'within'

const CUTS: readonly Cut[] = ['before', 'after', 'reply', 'within']
export const randomCut = (): Cut => CUTS[Math.floor(Math.random() * CUTS.length)] ?? 'after'

/** Asked for every chunk that a client sends; undefined passes it on. */
export type Decide = (chunk: Buffer) => Cut | undefined

const pass: Decide = () => undefined

/** Passes the bytes of connections to another port of loopback, and cuts connections on demand. */
export class CuttingProxy {
  /** How many connections were cut. */
  cuts = 0
  port = 0
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #decide = pass

  private constructor(target: number) {
    this.#server = createServer((client) => this.#join(client, connect(target, '127.0.0.1')))
  }

  static async open(target: number): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(target)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    proxy.port = (proxy.#server.address() as AddressInfo).port
    return proxy
  }

  /** From now on connections are cut where `decide` says, until it is called again; by default none is. */
  cut(decide: Decide = pass): void {
    this.#decide = decide
  }

  /** Cuts every open connection. */
  cutAll(): void {
    for (const socket of this.#sockets) {
      this.cuts += 1
      socket.destroy()
    }
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #join(client: Socket, server: Socket): void {
    let pending: Cut | undefined
    const end = () => {
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) {
      socket.setNoDelay(true)
      socket.on('error', end)
      socket.on('close', end)
      socket.on('close', () => this.#sockets.delete(socket))
    }
    this.#sockets.add(client)
    client.on('data', (chunk: Buffer) => {
      const cut = this.#decide(chunk)
      if (cut === undefined) return void server.write(chunk)
      this.cuts += 1
      if (cut === 'before') return end()
      pending = cut
      server.write(chunk, () => {
        if (cut === 'after') end()
      })
    })
    server.on('data', (chunk: Buffer) => {
      if (pending === undefined) return void client.write(chunk)
      if (pending === 'reply') return end()
      client.write(chunk.subarray(0, Math.ceil(chunk.length / 2)), end)
    })
  }
}

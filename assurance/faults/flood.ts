import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { newNonce } from '../../test/support/client.ts'
import type { MadeSite } from '../../test/support/make.ts'

/**
 * Opens intents at a node as fast as it answers, on so many connections at once: the load of others beside
 * which the recorded one goes on. A connection that the node closes is opened again. Returns how many answers came.
 */
export async function flood(url: string, { secret }: MadeSite, connections: number, seconds: number): Promise<number> {
  const port = Number(new URL(url).port)
  const over = new AbortController()
  const sockets = new Set<Socket>()
  let answers = 0
  const open = () => {
    if (over.signal.aborted) return
    const socket = connect(port, '127.0.0.1', () => socket.write(intentOf(secret)))
    sockets.add(socket)
    socket.on('data', () => {
      answers += 1
      socket.write(intentOf(secret))
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      setTimeout(open, 200)
    })
  }
  for (let i = 0; i < connections; i++) open()
  await sleep(seconds * 1000)
  over.abort()
  for (const socket of sockets) socket.destroy()
  return answers
}

function intentOf(secret: string): string {
  const body = JSON.stringify({ action: 'checkout', hostname: 'shop.example', nonce: newNonce() })
  return `POST /intents HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${secret}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}

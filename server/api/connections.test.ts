import { connect, type Socket } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { newNonce } from '../../test/support/client.ts'
import { testApp, testSite } from '../../test/support/testApp.ts'

const app = testApp({ TENANT_CALLS_PER_SECOND: '1000000' })
const site = testSite(app, { quota: 1_000_000 })
beforeAll(async () => {
  await app.ctx.prisma.site.update({
    where: { id: site.siteId },
    data: { ratePerSecond: 1_000_000, rateBurst: 2_000_000 },
  })
})

const message = (connection: string) => {
  const text = JSON.stringify({ action: 'checkout', nonce: newNonce(), hostname: 'shop.example' })
  return `POST /intents HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nauthorization: Bearer ${site.secret}\r\nconnection: ${connection}\r\ncontent-length: ${text.length}\r\n\r\n${text}`
}

/** Opens a connection and sends a request at once. `onReply` gets the status and the head of each reply. */
function open(connection: string, onReply: (status: number, head: string, socket: Socket) => void): Socket {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
  let received = ''
  socket.setEncoding('latin1')
  socket.on('data', (text) => {
    received += String(text)
    const [head = '', body = ''] = received.split('\r\n\r\n')
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN)
    if (body.length < length) return
    received = ''
    onReply(Number(head.slice(9, 12)), head, socket)
  })
  socket.write(message(connection))
  return socket
}

/**
 * Opens connections at once, each of which sends its next request once it has its answer, until all have had one. Resolves with the
 * most answers of a connection, and the refusals.
 */
async function burst(count: number): Promise<{ most: number; refused: number }> {
  const answers = Array.from({ length: count }, () => 0)
  let refused = 0
  const sockets = await new Promise<Socket[]>((resolve) => {
    const all = answers.map((_, i) =>
      open('keep-alive', (status, _head, socket) => {
        if (status !== 200) refused += 1
        answers[i] = (answers[i] ?? 0) + 1
        if (answers.every((n) => n > 0)) resolve(all)
        else socket.write(message('keep-alive'))
      }),
    )
  })
  for (const socket of sockets) socket.destroy()
  return { most: Math.max(...answers), refused }
}

test('of 256 connections at once, each has its first answer before others have their fourth, and none is refused', async () => {
  const { most, refused } = await burst(256)
  expect(most).toBeLessThanOrEqual(3)
  expect(refused).toBe(0)
}, 60_000)

test('when far more new connections arrive than can be served, each is answered: served, or refused with Retry-After', async () => {
  const statuses = new Map<number, number>()
  const unanswered = await Promise.all(
    Array.from(
      { length: 3000 },
      () =>
        new Promise<boolean>((resolve) => {
          let answered = false
          const socket = open('close', (status, head) => {
            answered = status === 200 || (status === 503 && /^retry-after: \d+$/im.test(head))
            statuses.set(status, (statuses.get(status) ?? 0) + 1)
          })
          socket.on('error', () => {})
          socket.on('close', () => resolve(!answered))
        }),
    ),
  )
  expect(unanswered.filter(Boolean)).toHaveLength(0)
  // those that are served and those that wait
  expect(statuses.get(200) ?? 0).toBeGreaterThan(400)
  expect(statuses.get(503) ?? 0).toBeGreaterThan(0)
}, 60_000)

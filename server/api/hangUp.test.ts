import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { type Puzzles, solvePuzzles } from '../../test/support/solver.ts'
import { testApp, testSite } from '../../test/support/testApp.ts'

const app = testApp()
const site = testSite(app)

/** Sends the request and resets the connection at once. */
function hangUp(request: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
    socket.on('error', () => {})
    socket.on('connect', () => socket.write(request, () => socket.resetAndDestroy()))
    socket.on('close', () => resolve())
  })
}

const messageOf = (path: string, body: object) => {
  const text = JSON.stringify(body)
  return `POST ${path} HTTP/1.1\r\nhost: localhost\r\norigin: https://shop.example\r\ncontent-type: application/json\r\nauthorization: Bearer ${site.secret}\r\ncontent-length: ${text.length}\r\n\r\n${text}`
}

test('a client that hangs up is no fault of the service', async () => {
  const intent = await app.client.intent(site)
  const intent_id = intent.body['intent_id']
  const { sitekey } = site
  const challenge = await app.client.challenge(site, intent_id)
  const puzzles = challenge.body as Puzzles & { challenge: string }
  const solution = { sitekey, intent_id, challenge: puzzles.challenge, solution: solvePuzzles(puzzles) }
  const messages = [
    messageOf('/challenge', { sitekey, intent_id }),
    messageOf('/solve', solution),
    messageOf('/intents', { action: 'a', nonce: 'n'.repeat(16), hostname: 'shop.example' }),
  ]
  for (let round = 0; round < 20; round++) await Promise.all(messages.flatMap((text) => [hangUp(text), hangUp(text)]))
  // every request that had arrived before it has been answered by then
  expect((await app.client.intent(site)).status).toBe(200)
  expect(app.logged).toEqual([])
})

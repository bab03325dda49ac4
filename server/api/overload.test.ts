import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { testApp, testSite } from '../../test/support/testApp.ts'

const app = testApp()
const site = testSite(app)
let intents: string[]
beforeAll(async () => {
  const opened = await Promise.all(Array.from({ length: 40 }, () => app.client.intent(site)))
  intents = opened.map(({ body }) => String(body['intent_id']))
})

const ORIGIN = 'https://shop.example'
let visitors = 0
/** With many addresses and intents, so that no limit answers instead. */
function ask(): Promise<Response> {
  visitors += 1
  return fetch(`${app.url}/challenge`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: ORIGIN,
      'x-forwarded-for': `10.0.${visitors >> 8}.${visitors & 255}`,
    },
    body: JSON.stringify({ sitekey: site.sitekey, intent_id: intents[visitors % intents.length] }),
  })
}

const logged = (text: string): number => app.logged.filter((line) => line.includes(text)).length

test('while nothing is answered, further requests are refused before they are read, and pages can read the refusal', async () => {
  const blocker = await app.sql.connect()
  await blocker.query('begin')
  await blocker.query('lock table intent in access exclusive mode')
  // more than are served and wait
  const asked = Array.from({ length: 1600 }, ask)
  await expect.poll(() => logged('more requests arrive than can be answered'), { timeout: 30_000 }).toBeGreaterThan(0)
  await blocker.query('rollback')
  blocker.release()
  const replies = await Promise.all(asked)
  const refused = replies.filter(({ status }) => status === 503)
  expect(refused.length).toBeGreaterThan(0)
  for (const reply of refused) {
    expect(await reply.text()).toBe('{"error":"unavailable"}')
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'retry-after': '1',
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': ORIGIN,
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^req_[0-9a-f]{32}$/),
    })
  }
  // two lines for each time that requests are refused: a busy machine can do so again
  while (logged('requests are answered again') < logged('more requests arrive than can be answered')) {
    await ask()
    await sleep(100)
  }
  expect((await ask()).status).toBe(200)
}, 120_000)

import { beforeAll, expect, test } from 'vitest'
import { testApp, testSite } from '../../test/support/testApp.ts'

const app = testApp()
const site = testSite(app)
let intent_id: unknown
beforeAll(async () => {
  intent_id = (await app.client.intent(site)).body['intent_id']
})

const ask = (kinds: unknown) =>
  app.client.post('/challenge', { sitekey: site.sitekey, intent_id, kinds }, { origin: 'https://shop.example' })

test.each([[['pow-sha256']], [['pow-hashwx', 'pow-sha256']], [['pow-sha256', 'pow-of-tomorrow', 'pow-sha256', '']]])(
  'a client that can solve %j gets pow-sha256',
  async (kinds) => {
    const reply = await ask(kinds)
    expect([reply.status, reply.body['kind']]).toEqual([200, 'pow-sha256'])
  },
)

test.each([[[]], [['pow-of-tomorrow']], [['pow-hashwx']], ['pow-sha256'], [null], [[1]], [['pow-sha256', null]], [{}]])(
  'refuses kinds of %j, which are invalid or contain none that the service has',
  async (kinds) => {
    const reply = await ask(kinds)
    expect([reply.status, reply.body]).toEqual([422, { error: 'bad-request', field: 'kinds' }])
  },
)

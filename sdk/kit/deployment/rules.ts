import { type Check, expect, under } from '../check.ts'
import { type Deployment, expectRefusal, expectStatus, newNonce, newSession, newUuid, type Reply } from './call.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
/** Well-formed, but unknown. */
const UNKNOWN_SITE = `tg_site_${'0'.repeat(20)}`

/** The contract's main rules: the order of checks, what counts as JSON, and access. */
export const RULES = under<Check<Deployment>>(2, [
  {
    name: 'every reply has a request id, and no reply of the API may be cached',
    run: async (it) => {
      for (const reply of [await it.intent(), await it.asSite('/intents', '{'), await it.post('/intents', {})]) {
        expect(reply.headers.get('x-request-id')?.startsWith('req_') === true, `no X-Request-Id on ${reply.status}`)
        expect(reply.headers.get('cache-control') === 'no-store', `${reply.status} may be cached`)
      }
    },
  },
  {
    name: 'checks in order: path, method, media type, size, JSON, secret in body, authentication, fields',
    run: async (it) => {
      expectRefusal(await it.post('/no-such-endpoint', '{'), 404, 'not-found')
      const got = await it.send('/intents', { method: 'GET' })
      expectRefusal(got, 405, 'method-not-allowed')
      expect(got.headers.get('allow') === 'POST', 'a 405 does not say what is allowed')
      const text = { headers: { 'content-type': 'text/plain' }, body: '{' }
      expectRefusal(await it.send('/intents', text), 415, 'unsupported-media-type')
      const large = `{"action":"${'a'.repeat(17_000)}"`
      expectRefusal(await it.post('/intents', large), 413, 'payload-too-large')
      expectRefusal(await it.post('/intents', '{'), 400, 'bad-request')
      expectRefusal(await it.post('/intents', { action: '', api_secret: 'x' }), 422, 'secret-in-body')
      const stranger = await it.post('/intents', { action: '' })
      expectRefusal(stranger, 401, 'unauthorized')
      expect(stranger.headers.get('www-authenticate') === 'Bearer', 'a 401 without WWW-Authenticate: Bearer')
      expectRefusal(await it.asSite('/intents', { action: '', nonce: '' }), 422, 'bad-request', 'action')
      expectRefusal(await it.intent({ surplus: 1 }), 422, 'bad-request', 'surplus')
    },
  },
  {
    name: 'an unknown secret is unauthorized, whatever its form',
    run: async (it) => {
      const body = { action: 'conformance', nonce: newNonce(), hostname: it.target.hostname }
      for (const authorization of ['Bearer nonsense', 'Basic dGVzdDp0ZXN0', `Bearer tg_secret_${'0'.repeat(49)}`])
        expectRefusal(await it.post('/intents', body, { authorization }), 401, 'unauthorized')
    },
  },
  {
    name: 'no type coercion: numbers, null, lists and objects are not strings',
    run: async (it) => {
      for (const action of [
        123,
        null,
        ['conformance'],
        { a: 1 },
        true,
        'conformance\n',
        ' conformance',
        'x'.repeat(65),
      ])
        expectRefusal(await it.intent({ action }), 422, 'bad-request', 'action')
      expectRefusal(await it.intent({ session: newSession().toUpperCase() }), 422, 'bad-request', 'session')
      expectRefusal(await it.asSite('/intents', []), 422, 'bad-request', 'action')
    },
  },
  {
    name: 'only valid JSON: no BOM, no trailing comma, no NaN, no second document, no empty body',
    run: async (it) => {
      for (const body of ['', '\uFEFF{}', '{"action":"a",}', '{"action":NaN}', '{}{}', "{'action':'a'}"])
        expectRefusal(await it.asSite('/intents', body), 400, 'bad-request')
    },
  },
  {
    name: 'ten concurrent requests with one nonce open one intent; other fields with it are a conflict',
    run: async (it) => {
      const nonce = newNonce()
      const replies = await Promise.all(Array.from({ length: 10 }, () => it.intent({ nonce })))
      const intents = new Set(replies.map((reply) => expectStatus(reply, 200).text))
      expect(intents.size === 1, `${intents.size} intents of one nonce`)
      expectRefusal(await it.intent({ nonce, action: 'other' }), 409, 'nonce-conflict')
    },
  },
  {
    name: 'a hostname that is not one of the site’s opens no intent',
    run: async (it) => {
      const elsewhere = await it.intent({ hostname: 'not-on-the-list.example' })
      // the published test keys are valid for any hostname
      if (!it.target.sitekey.startsWith('tg_site_TEST')) expectRefusal(elsewhere, 422, 'bad-request', 'hostname')
      for (const hostname of [
        'https://shop.example',
        'shop.example:443',
        '*.shop.example',
        'Shop.example',
        'shop.example.',
      ])
        expectRefusal(await it.intent({ hostname }), 422, 'bad-request', 'hostname')
    },
  },
  {
    name: 'the component needs the right Origin, site and intent',
    run: async (it) => {
      const intent = String(expectStatus(await it.intent(), 200).body['intent_id'])
      await checkOrigins(it, { sitekey: it.target.sitekey, intent_id: intent })
      const foreign = await it.asPage('/challenge', { sitekey: UNKNOWN_SITE, intent_id: intent })
      expectRefusal(foreign, 422, 'bad-request', 'sitekey')
      const unknown = await it.asPage('/challenge', { sitekey: it.target.sitekey, intent_id: newUuid() })
      expectRefusal(unknown, 422, 'bad-request', 'intent_id')
    },
  },
  {
    name: 'objects of others get the same answer as missing ones',
    run: async (it) => {
      const decision = { decision_id: `dec_${'0'.repeat(22)}`, session: newSession() }
      const grant = await it.asSite('/grants', decision)
      if (grant.status !== 403) expectRefusal(grant, 422, 'bad-request', 'decision_id')
      const revoked = await it.asSite('/grants/revoke', { session: newSession() })
      expect(expectStatus(revoked, 200).body['revoked'] === 0, 'grants of a session that has none were revoked')
    },
  },
  {
    name: 'widget.js can be loaded by any page, and its other files are immutable',
    run: async (it) => {
      const script = expectStatus(await it.send('/widget.js', { method: 'GET' }), 200)
      expect(/javascript/.test(script.headers.get('content-type') ?? ''), 'widget.js is not sent as a script')
      expect(script.headers.get('access-control-allow-origin') === '*', 'widget.js cannot be loaded with CORS')
      const path = /widget\/assets\/solver-[\w-]+\//.exec(script.text)?.[0]
      expect(path !== undefined, 'widget.js names no solver')
      const solver = expectStatus(await it.send(`/${path}simd.wasm`, { method: 'GET' }), 200)
      expect(/immutable/.test(solver.headers.get('cache-control') ?? ''), 'the solver is not immutable')
      expect(solver.headers.get('content-type') === 'application/wasm', 'the solver is not sent as WebAssembly')
    },
  },
])

async function checkOrigins(it: Deployment, body: Record<string, unknown>): Promise<void> {
  const origin = `https://${it.target.hostname}`
  const allowed = (reply: Reply) => reply.headers.get('access-control-allow-origin')
  const ask = (headers: Record<string, string>) => it.post('/challenge', body, headers)
  const own = expectStatus(await ask({ origin }), 200)
  expect(allowed(own) === origin, `the own page may not read the answer: ${String(allowed(own))}`)
  expect(!own.headers.has('access-control-allow-credentials'), 'credentials are allowed')
  const elsewhere = 'https://elsewhere.example'
  const foreign = expectRefusal(await ask({ origin: elsewhere }), 403, 'origin-not-allowed')
  expect(allowed(foreign) === elsewhere, 'a page of another host cannot read why it is refused')
  for (const headers of [{}, { origin: 'null' }, { origin: `${origin}/` }]) {
    const reply = expectRefusal(await ask(headers), 403, 'origin-not-allowed')
    expect(allowed(reply) === null, 'an Origin that is not well formed may read the refusal')
  }
  const asked = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' }
  const preflight = await it.send('/challenge', { method: 'OPTIONS', headers: { ...JSON_TYPE, ...asked } })
  expect(preflight.status < 300 && allowed(preflight) === origin, `the preflight was answered ${preflight.status}`)
}

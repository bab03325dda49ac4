import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../../test/support/app.ts'
import { newNonce } from '../../../test/support/client.ts'
import { makeSite } from '../../../test/support/make.ts'

type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: { key: string; value: { stringValue?: string } }[]
  status: { code?: number }
}
type Exported = {
  resourceSpans: { resource: { attributes: Span['attributes'] }; scopeSpans: { spans: Span[] }[] }[]
}

const exported: Exported[] = []
/** Receives traces as a collector does. */
const collector = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8').on('data', (text: string) => (body += text))
  request.on('end', () => {
    if (request.url === '/v1/traces' && request.method === 'POST') exported.push(JSON.parse(body) as Exported)
    response.setHeader('content-type', 'application/json').end('{}')
  })
})
let app: TestApp
beforeAll(async () => {
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const { port } = collector.address() as AddressInfo
  app = await openTestApp({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` })
})
afterAll(() => {
  collector.close()
  collector.closeAllConnections()
})

const value = (span: Pick<Span, 'attributes'>, key: string) =>
  span.attributes.find((attribute) => attribute.key === key)?.value.stringValue

test('a collector gets a span of each call and of its statement, which continue the trace of the caller', async () => {
  const site = await makeSite(app.ctx)
  const [trace, parent] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
  const nonce = newNonce()
  const opened = await app.client.post(
    '/intents',
    { action: 'checkout', nonce, hostname: 'shop.example' },
    { authorization: `Bearer ${site.secret}`, traceparent: `00-${trace}-${parent}-01` },
  )
  expect(opened.status).toBe(200)
  const values = await app.client.earn(site)
  expect((await app.client.siteverify(site, values)).status).toBe(200)
  expect((await app.client.siteverify(site, { ...values, idempotency_key: newNonce() })).status).toBe(409)
  // sends what is left
  await app.close()

  const text = JSON.stringify(exported)
  const resources = exported.flatMap(({ resourceSpans }) => resourceSpans)
  expect(resources.map(({ resource }) => value(resource, 'service.name'))).toContain('tollgate')
  const spans = resources.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
  const continued = spans.find(({ parentSpanId }) => parentSpanId === parent)
  expect(continued).toMatchObject({ traceId: trace, name: 'POST /intents', kind: 2 })
  expect(continued && value(continued, 'tollgate.request_id')).toBe(opened.headers.get('x-request-id'))
  const within = spans.filter(({ parentSpanId, traceId }) => parentSpanId === continued?.spanId && traceId === trace)
  expect(within.map(({ name, kind }) => [name, kind])).toContainEqual(['open_intents', 3])
  const refused = spans.filter((span) => value(span, 'error.type') === 'already-redeemed')
  expect(refused.map(({ name, status }) => [name, status.code])).toEqual([['POST /siteverify', 2]])
  for (const hidden of [nonce, site.secret, values['response'] ?? '', values['idempotency_key'] ?? ''])
    expect(text).not.toContain(hidden)
})

test('without a collector there is no tracing', async () => {
  const plain = await openTestApp()
  expect(plain.ctx.tracing).toBeUndefined()
  expect(plain.ctx.hotPool).toBe(plain.opened.database.hotPool)
  await plain.close()
})

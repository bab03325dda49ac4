import { Webhook } from 'standardwebhooks'
import { afterEach, expect, test, vi } from 'vitest'
import { readVectors } from '../../testing/vectors.ts'
import { verifyWebhook, WebhookError } from './webhook.ts'

const { secret, now, accept, refuse, secrets } = readVectors('webhooks')

afterEach(() => void vi.useRealTimers())

const at = (seconds: number) => vi.useFakeTimers({ now: seconds * 1000, toFake: ['Date'] })

test.each(accept)('accepts $name', ({ headers, body, now: own = now }) => {
  at(own)
  for (const each of [headers, new Headers(headers)]) {
    expect(verifyWebhook(each, body, secret)).toEqual(JSON.parse(body))
    expect(verifyWebhook(each, Buffer.from(body), secret)).toEqual(JSON.parse(body))
  }
})

test.each(refuse)('refuses $name', ({ headers, body, now: own = now }) => {
  at(own)
  expect(() => verifyWebhook(headers, body, secret)).toThrow(WebhookError)
})

test.each(secrets)('refuses a secret that is $name, without repeating it', ({ secret }) => {
  const verify = () => verifyWebhook({}, '{}', secret as string)
  expect(verify).toThrow(TypeError)
  expect(verify).not.toThrow('MfKQ9r8')
})

test('accepts what the library of the specification signs', () => {
  const body = '{"type":"webhook.test"}'
  const signature = new Webhook(secret).sign('id', new Date(now * 1000), body)
  at(now)
  const headers = { 'webhook-id': 'id', 'webhook-timestamp': String(now), 'webhook-signature': signature }
  expect(verifyWebhook(headers, body, secret)).toEqual({ type: 'webhook.test' })
})

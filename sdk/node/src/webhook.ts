import { createHmac, timingSafeEqual } from 'node:crypto'

/** Seconds that the clocks of sender and receiver may differ, and a request may be late. */
const TOLERANCE = 300

/** An event of a webhook. `data` depends on `type`: see the deployment's documentation of webhooks. */
export interface WebhookEvent {
  type: string
  /** When it happened, as ISO 8601. */
  timestamp: string
  /** The id of the tenant. */
  tenant: string
  data: Record<string, unknown>
}

/** The headers of a request: of Node.js, Express or Fastify, or of the Fetch API. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | string[] | undefined>>

/** The request of a webhook is not what the service sent now: answer with status 400, and do nothing. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
}

/**
 * Verifies the request of a webhook by the Standard Webhooks specification, and returns its event. The event can arrive again:
 * `webhook-id` is the same then.
 *
 * @param body as it arrived, not parsed
 * @param secret `whsec_…`, shown when the webhook was created
 * @throws WebhookError if no signature matches, or the timestamp is more than five minutes away
 * @throws TypeError if the secret is malformed
 */
export function verifyWebhook(headers: WebhookHeaders, body: string | Uint8Array, secret: string): WebhookEvent {
  const key = readKey(secret)
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    readHeader(headers, name),
  )
  if (!id || !timestamp || !signatures) throw new WebhookError('Tollgate: a header of the webhook is missing.')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  const matches = signatures.split(' ').filter((each) => {
    const [version, text = ''] = each.split(',')
    const signature = Buffer.from(text, 'base64')
    return version === 'v1' && signature.length === expected.length && timingSafeEqual(signature, expected)
  })
  if (matches.length === 0) throw new WebhookError('Tollgate: no signature of the webhook matches.')
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE)
    throw new WebhookError('Tollgate: the timestamp of the webhook is more than five minutes away.')
  return JSON.parse(Buffer.from(body as Uint8Array).toString()) as WebhookEvent
}

function readHeader(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof (headers as Headers).get === 'function') return (headers as Headers).get(name) ?? undefined
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? []
  return typeof value === 'string' ? value : undefined
}

function readKey(secret: unknown): Buffer {
  const [, text] = (typeof secret === 'string' && /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)) || []
  if (text === undefined) throw new TypeError('Tollgate: the secret of a webhook begins with whsec_ and is base64.')
  return Buffer.from(text, 'base64')
}

// What checkout.mjs takes from the SDK, made of the guide's tollgate.mjs: "The program around these calls is the one above."
import { createHmac, randomBytes } from 'node:crypto'
import { importBlock } from './blocks.mjs'

const client = await importBlock('tollgate.mjs')

export class TollgateError extends Error {
  constructor({ code, again }) {
    super(code)
    this.code = code
    this.retryable = again
  }
}

const valueOf = ({ ok, value, ...failure }) => {
  if (!ok) throw new TollgateError(failure)
  return value
}

export class Tollgate {
  async createIntent(fields) {
    return { intentId: valueOf(await client.openIntent(fields)).intent_id }
  }

  async verify({ intentId, idempotencyKey, ...fields }) {
    const redeemed = await client.redeem({ ...fields, intent_id: intentId, idempotency_key: idempotencyKey })
    return { decisionId: valueOf(redeemed).decision_id }
  }
}

export const createNonce = () => randomBytes(16).toString('hex')
export const createIdempotencyKey = () => randomBytes(16).toString('hex')
export const isResponseToken = (value) => typeof value === 'string' && /^tgr_[A-Za-z0-9_-]{1,508}$/.test(value)
export const hashSession = (key, session) => createHmac('sha256', key).update(session).digest('hex')

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (value) => value.replace(/[&<>"']/g, (found) => ENTITIES[found])

export const renderScript = ({ url }) => `<script src="${escape(url)}/widget.js" async defer></script>`
export const renderWidget = ({ url, sitekey, intentId }) =>
  `<div class="svc-captcha" data-endpoint="${escape(url)}" data-sitekey="${escape(sitekey)}" data-intent="${escape(intentId)}"></div>`

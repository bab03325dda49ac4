import type { Path } from '../endpoints.ts'

/** A request and named replies. Together the examples are one visit of a shop, from form to feedback. */
type Example = { request: object; replies: Record<string, object> }

const INTENT = '019aa0b4-e2f4-7b41-8c0a-4f6d92e1b7a3'
const DECISION = 'dec_019aa0b4e2f47b418c0a4f6d92e1b7a3'
const SESSION = '3f7c0b6a1d9e52484cf1a3e07d2b95864e10f7c9d8a2b3516c4e7f0a9b8d1c2e'
const SUBJECT = 'a41be97f20c85d36f1e4029b7ac3d85e60f17b42d9c8e3a5074f1b6c2d8e9a30'
const GRANT = '019aa0b5-f26c-7d52-9a3f-0c8e4b5d6f71'
const EVENT = '7d0f4a52-93c1-4e8b-b6a7-2f5e8d1c0b94'
const SITEKEY = 'tg_site_4kT9vQ2mXb7RfZ1cLw8D'
const TOKEN =
  'tgr_AQJrMQAQAZqfPF0ue0GMCk9tkuG3owAQAZqfAHR0cYKSqbvMzN3u_wAGAZqfPHExAAYBmp88hPAABgAAAAIAAAAEAAAAAAAIkqPB0uP0BRYAAQGx0uP0BRYnOElaa3yNnq-wwdLj9AUWJzhJWmt8jZ6v'
const CHALLENGE =
  'AQJrMQAQAZqfPF0ue0GMCk9tkuG3owAQAZqfAHR0cYKSqbvMzN3u_wAMc2hvcC5leGFtcGxlABCcQfAyXna4Pl2Kx-OR8BYnAAEgAAQAB___AAYAAAACAAAABAAAAAAABgGanzxxMQAGAZqfPkXxAAYBmqBA8vvR4_QFFic4SVprfI2er7DB0uP0BRYnOElaa3yNnq-w'

export const EXAMPLES: Record<Path, Example> = {
  '/intents': {
    request: {
      action: 'checkout',
      nonce: 'n4Zq0vYtS7cXw2KfJ9LbR5mD1hGaUe8P',
      hostname: 'shop.example',
      session: SESSION,
      subject: SUBJECT,
    },
    replies: {
      opened: {
        intent_id: INTENT,
        sitekey: SITEKEY,
        action: 'checkout',
        hostname: 'shop.example',
        expires_at: 1_763_633_100,
      },
    },
  },
  '/siteverify': {
    request: {
      response: TOKEN,
      intent_id: INTENT,
      action: 'checkout',
      hostname: 'shop.example',
      idempotency_key: 'k7Wm3RzTq9XfBv2LsNc6YdHg1JpA0EuC',
    },
    replies: {
      passed: {
        success: true,
        intent_id: INTENT,
        action: 'checkout',
        hostname: 'shop.example',
        decision_id: DECISION,
        assessment: 'passed',
      },
    },
  },
  '/feedback': {
    request: {
      decision_id: DECISION,
      event_id: EVENT,
      outcome: 'confirmed_abuse',
      business_type: 'chargeback',
      occurred_at: 1_763_805_600,
    },
    replies: { recorded: { accepted: true, event_id: EVENT, revision: 1, expires_at: 1_764_237_655 } },
  },
  '/grants': {
    request: { decision_id: DECISION, session: SESSION, ttl: 900, uses: 1 },
    replies: { granted: { grant_id: GRANT, expires_at: 1_763_633_770, uses: 1 } },
  },
  '/grants/revoke': { request: { session: SESSION }, replies: { revoked: { revoked: 1 } } },
  '/challenge': {
    request: { sitekey: SITEKEY, intent_id: INTENT },
    replies: {
      puzzle: {
        kind: 'pow-sha256',
        challenge: CHALLENGE,
        seed: '9c41f0325e76b83e5d8ac7e391f01627',
        count: 32,
        target: 524_288,
        expires_at: 1_763_632_932,
      },
      hashwx: {
        kind: 'pow-hashwx',
        challenge: CHALLENGE,
        seed: '6f0c2b7d91e45a38c7d20f6be18394a55d7e013f92c8b46a0e3d715f8c29b640',
        count: 16,
        target: 1_048_576,
        span: 262_144,
        expires_at: 1_763_632_932,
      },
      exempt: { kind: 'none', response: TOKEN, expires_at: 1_763_633_100 },
    },
  },
  '/solve': {
    request: {
      sitekey: SITEKEY,
      intent_id: INTENT,
      challenge: CHALLENGE,
      solution:
        'AAAQ7QAAA1IAACbzAAAHHgAAGWAAAAS3AAABrgAAMF4AAAn4AAACQAAAFesAAAb9AAAfOgAAA8MAAA1fAAAoEQAABWYAAAD2AAASvQAAC3QAAANoAAAg4QAAB0sAABqOAAAJMwAAAeUAAA4CAAAj2QAABvAAABHMAAACmQAAGCU',
    },
    replies: { solved: { response: TOKEN, expires_at: 1_763_633_100 } },
  },
}

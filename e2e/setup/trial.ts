import { age } from '../../test/support/age.ts'
import { createTestClient } from '../../test/support/client.ts'
import type { Service } from './service.ts'

/** The site's policy. */
export type ChallengeKind = 'sha256' | 'hashwx' | 'auto'

/** A site of the test's own on localhost. */
export type Trial = {
  sitekey: string
  /** The service's URL. */
  endpoint: string
  /** Opens an intent; its id. */
  intent: () => Promise<string>
  /** The element that the component draws into, for a new intent. */
  box(attributes?: string): Promise<string>
  /** A form of one field with that element in it; sent, it leads to `/?…` with all fields. */
  form(attributes?: string): Promise<string>
  /** The options of `svcCaptcha.render` for a new intent, as a script writes them. */
  options: (more?: object) => Promise<string>
  /** Lets time pass for its intents. */
  age(seconds: number): Promise<void>
  /** What /siteverify says of the token. With the same key, a second call gets the first one's answer. */
  redeem(intent: string, token: string, key?: string): Promise<number>
}

/** `work`: what it asks of every visitor, in expected hashes of SHA-256. */
export async function openTrial(service: Service, work: number, kind: ChallengeKind): Promise<Trial> {
  const { id: tenantId } = await service.operator.createTenant({ name: 'Trial', quota: 1_000 })
  const { id, ...keys } = await service.operator.createSite(tenantId, { name: 'Page', hostname: 'localhost' })
  await service.sql.query(`update site set base_work = $2, work_mode = 'fixed', challenge_kind = $3 where id = $1`, [
    id,
    work,
    kind,
  ])
  const client = createTestClient(service.url)
  const binding = { action: 'checkout', hostname: 'localhost' }

  const trial: Trial = {
    sitekey: keys.sitekey,
    endpoint: service.url,
    async intent() {
      const { body } = await client.intent(keys, binding)
      return String(body['intent_id'])
    },
    async box(attributes = '') {
      const named = `data-sitekey="${keys.sitekey}" data-intent="${await trial.intent()}"`
      return `<div class="svc-captcha" ${named} data-endpoint="${service.url}" ${attributes}></div>`
    },
    async form(attributes) {
      const box = await trial.box(attributes)
      return `<form><label>Comment <input name="comment"></label>${box}<button name="by" value="send">Send</button></form>`
    },
    async options(more) {
      return JSON.stringify({ sitekey: keys.sitekey, intent: await trial.intent(), endpoint: service.url, ...more })
    },
    age: (seconds) => age(service.sql, [tenantId], seconds),
    async redeem(intent, token, key = 'k'.repeat(16)) {
      const fields = { ...binding, intent_id: intent, response: token, idempotency_key: key }
      return (await client.siteverify(keys, fields)).status
    },
  }
  return trial
}

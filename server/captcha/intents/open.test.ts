import { expect, test } from 'vitest'
import { newNonce } from '../../../test/support/client.ts'
import { testApp, testSite } from '../../../test/support/testApp.ts'
import { untilWaitedFor } from '../../../test/support/waiting.ts'
import { newId } from '../../kit/crypto/ids.ts'

const app = testApp()
const site = testSite(app)

const intents = async (nonces: string[]) =>
  (await app.sql.query<{ id: string }>('select id from intent where nonce = any($1) order by nonce', [nonces])).rows

test('an intent that another node opens at the same moment is answered with its id, and the rest of the batch is opened', async () => {
  const nonces = Array.from({ length: 4 }, newNonce)
  const [same] = nonces
  const id = newId()
  const other = await app.sql.connect()
  await other.query('begin')
  await other.query(
    `insert into intent (id, tenant_id, site_id, nonce, action, hostname, expires_at)
     values ($1, $2, $3, $4, 'checkout', 'shop.example', date_trunc('second', now()) + interval '300 s')`,
    [id, site.tenantId, site.siteId, same],
  )
  // the batch waits until it is known whether the other node's row stays
  const replies = Promise.all(nonces.map((nonce) => app.client.intent(site, { nonce })))
  await untilWaitedFor(app.sql, other)
  await other.query('commit')
  other.release()
  const answered = await replies
  expect(answered.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(answered[0]?.body['intent_id']).toBe(id)
  expect(await intents(nonces)).toHaveLength(4)
})

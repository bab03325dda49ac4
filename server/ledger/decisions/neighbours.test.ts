import { expect, test } from 'vitest'
import { readsDuring } from '../../../test/support/tableReads.ts'
import { testApp, testSite } from '../../../test/support/testApp.ts'
import { uuidOfHex } from '../../contract/ids.ts'
import { neighboursOf } from './neighbours.ts'

const DECISIONS = 20_000

const app = testApp()
const site = testSite(app)

test('the decisions next to one are found without reading those between it and the ends of the list', async () => {
  await app.sql.query(
    `insert into decision (id, tenant_id, site_id, action, hostname, token_hash, key_hash, redeemed_at, charged_to)
     select (lpad(to_hex(n), 12, '0') || '70008' || repeat('0', 15))::uuid, $1, $2, 'a', 'h', '', '',
       now() - interval '10 days' + make_interval(secs => n / 2), 'test'
     from generate_series(1, $3::int) n`,
    [site.tenantId, site.siteId, DECISIONS],
  )
  await app.sql.query('analyze decision')
  const hexOf = (n: number) => `${n.toString(16).padStart(12, '0')}70008${'0'.repeat(15)}`
  // two decisions have the same time
  for (const n of [DECISIONS / 2, DECISIONS / 2 + 1]) {
    let found: unknown
    const read = await readsDuring(app, 'decision', async () => {
      found = await neighboursOf(app.ctx, { id: site.tenantId }, uuidOfHex(hexOf(n)))
    })
    expect(found).toEqual({ newer: `dec_${hexOf(n + 1)}`, older: `dec_${hexOf(n - 1)}` })
    expect(read).toBeLessThan(50)
  }
})

import { expect, test } from 'vitest'
import { makeSite } from '../../../test/support/make.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { consoleHost } from './origin.ts'

const app = testApp()

test("a page at the console's own host needs to be on the list like any other", async () => {
  const hostname = consoleHost(app.ctx)
  const site = await makeSite(app.ctx, { hostnames: [hostname] })
  const from = { origin: `http://${hostname}` }
  const { body: intent } = await app.client.intent(site, { hostname })
  const taken = await app.client.challenge(site, intent['intent_id'], from)
  expect(taken.status).toBe(200)
  await app.sql.query('delete from hostname where site_id = $1', [site.siteId])
  app.ctx.invalidations.publish(site.tenantId)
  const refusals = async () => [
    await app.client.challenge(site, intent['intent_id'], from),
    await app.client.solve(
      site,
      { intent_id: intent['intent_id'], challenge: taken.body['challenge'], solution: 'AAAA' },
      from,
    ),
  ]
  await expect
    .poll(async () => (await refusals()).map(({ body }) => body))
    .toEqual([{ error: 'origin-not-allowed' }, { error: 'origin-not-allowed' }])
})

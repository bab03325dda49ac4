import { expect, test } from 'vitest'
import { makeOwnedTenant } from '../../test/support/tenant.ts'
import { testApp } from '../../test/support/testApp.ts'

/** 20 calls in 5 seconds, and 10 changes in 10. */
const SLOW = { CONSOLE_CALLS_PER_SECOND: '4', CONSOLE_CHANGES_PER_SECOND: '1' }

const app = testApp(SLOW)

/** The sentence about a wait, which is at most until the window of calls ends. */
function waitFor(seconds: number): string {
  expect([1, 2, 3, 4, 5]).toContain(seconds)
  return `Too many requests in a short time. Try again in ${seconds} second${seconds === 1 ? '' : 's'}.`
}

test('200 calls of a person at once: a burst is answered, the others get 429 with a sentence and Retry-After', async () => {
  const [{ tenant, owner }, other] = [await makeOwnedTenant(app), await makeOwnedTenant(app)]
  const input = encodeURIComponent(JSON.stringify({ tenant: tenant.slug }))
  const replies = await Promise.all(Array.from({ length: 200 }, () => owner.get(`/trpc/tenants.get?input=${input}`)))
  const statuses = replies.map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(20)
  const refused = replies.find(({ status }) => status === 429)
  const seconds = Number(refused?.headers.get('retry-after'))
  expect(refused?.body).toMatchObject({ error: { message: waitFor(seconds), data: { code: 'TOO_MANY_REQUESTS' } } })
  // not at the cost of others
  expect((await other.owner.query('tenants.get', { tenant: other.tenant.slug })).status).toBe(200)
})

test('changes are fewer, and each call of a batch counts', async () => {
  const { tenant, owner } = await makeOwnedTenant(app)
  const rename = { tenant: tenant.slug, name: 'Renamed' }
  const batch = await owner.post(
    `/trpc/${Array.from({ length: 10 }, () => 'tenants.rename').join(',')}?batch=1`,
    Object.fromEntries(Array.from({ length: 10 }, (_, i) => [i, rename])),
  )
  expect(batch.status).toBe(200)
  const statuses = []
  for (let i = 0; i < 5; i++) statuses.push((await owner.mutate('tenants.rename', rename)).status)
  expect(statuses).toContain(429)
  expect((await owner.query('tenants.get', { tenant: tenant.slug })).status).toBe(200)
})

test('exports count as calls', async () => {
  const { tenant, owner } = await makeOwnedTenant(app)
  const path = `/export/audit.csv?tenant=${tenant.slug}&from=x`
  const replies = await Promise.all(Array.from({ length: 200 }, () => owner.get(path)))
  // others are refused because only five exports run at the same time
  const refused = replies.find(({ status, headers }) => status === 429 && headers.has('retry-after'))
  expect(refused?.body).toMatchObject({ message: waitFor(Number(refused?.headers.get('retry-after'))) })
})

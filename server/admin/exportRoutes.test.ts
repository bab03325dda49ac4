import { request } from 'node:http'
import { expect, test } from 'vitest'
import { cookieHeader, createBrowser } from '../../test/support/browser.ts'
import { makeDecisions } from '../../test/support/decisions.ts'
import { type MadeSite, makeSite } from '../../test/support/make.ts'
import { makeMember, makeTenant } from '../../test/support/tenant.ts'
import { setUp, testApp } from '../../test/support/testApp.ts'

const app = testApp()
const tenant = setUp(() => makeTenant(app))
const site = setUp(() => makeSite(app.ctx, { tenantId: tenant.id }))
const person = setUp(() => makeMember(app, tenant, 'viewer'))

const path = (query: Record<string, string> = {}) =>
  `/export/decisions.csv?${new URLSearchParams({ tenant: tenant.slug, ...query }).toString()}`

/** The cells of a file without quoted ones. */
const cellsOf = (text: string): string[][] =>
  text
    .slice(1)
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','))

const MANY = 20_000

/** Many decisions, one second apart. */
const makeMany = (owner: MadeSite) =>
  app.sql.query(
    `insert into decision (id, tenant_id, site_id, action, hostname, token_hash, key_hash, charged_to, redeemed_at)
     select gen_random_uuid(), $1, $2, 'many', 'shop.example', '', '', 'quota', now() - n * interval '1 s'
     from generate_series(1, ${MANY}) n`,
    [owner.tenantId, owner.siteId],
  )

test('exports the rows of the list with the same filters', async () => {
  await makeDecisions(app, site, [{ action: 'login', ago: 3 }, { action: 'login', ago: 2, mobile: true }, {}])
  const reply = await person.get(path({ action: 'login', slow: '1000' }))
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(reply.headers.get('content-disposition')).toBe(
    `attachment; filename="decisions-${tenant.slug}-action-login-slow-1000.csv"`,
  )
  const audited = await app.rows(
    "select actor_id, after from audit_event where tenant_id = $1 and action = 'tenant.export'",
    [tenant.id],
  )
  expect(audited).toEqual([{ actor_id: person.userId, after: { list: 'decisions' } }])
  const list = await person.query('decisions.list', { tenant: tenant.slug, action: 'login', slow: 1000 })
  const { rows } = list.data as { rows: { decisionId: string; device: string; solveMs: number }[] }
  const [head = [], ...lines] = cellsOf(reply.text)
  const column = (name: string) => lines.map((cells) => cells[head.indexOf(name)])
  expect(column('decision_id')).toEqual(rows.map(({ decisionId }) => decisionId))
  expect(column('device')).toEqual(['mobile', 'desktop'])
  expect(column('solve_ms')).toEqual(['1500', '1500'])
})

test('escapes cells that a spreadsheet would run as formulas and marks the file as UTF-8', async () => {
  await app.sql.query(`update site set name = '=1+1,"x"' where id = $1`, [site.siteId])
  await makeDecisions(app, site, [{ action: 'formula' }])
  const reply = await fetch(app.url + path({ action: 'formula' }), {
    headers: { cookie: cookieHeader(person.cookies) },
  })
  const bytes = Buffer.from(await reply.arrayBuffer())
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  expect(bytes.toString()).toContain(`,"'=1+1,""x""",`)
  await app.sql.query(`update site set name = 'Test' where id = $1`, [site.siteId])
})

test('exports twenty thousand rows without loss or repetition', async () => {
  const owned = await makeTenant(app)
  const busy = await makeSite(app.ctx, { tenantId: owned.id })
  const reader = await makeMember(app, owned, 'viewer')
  await makeMany(busy)
  const { text } = await reader.get(`/export/decisions.csv?tenant=${owned.slug}`)
  const [, ...lines] = cellsOf(text)
  expect(lines).toHaveLength(MANY)
  expect(new Set(lines.map(([, id]) => id)).size).toBe(MANY)
  const times = lines.map(([time]) => time)
  expect(times).toEqual(times.toSorted().toReversed())
})

test('aborts the connection on an error, so that a partial file is not mistaken for a complete one', async () => {
  const owned = await makeTenant(app)
  const busy = await makeSite(app.ctx, { tenantId: owned.id })
  const reader = await makeMember(app, owned, 'viewer')
  await makeMany(busy)
  const ended = await new Promise<{ bytes: number; whole: boolean }>((resolve, reject) => {
    const headers = { cookie: cookieHeader(reader.cookies) }
    request(`${app.url}/export/decisions.csv?tenant=${owned.slug}`, { headers }, (reply) => {
      let bytes = 0
      // the file is read only as it is consumed: the table is dropped before its later pages are read
      reply.once('readable', () => {
        void app.sql.query('alter table decision rename to decision_gone').then(() => reply.resume())
      })
      reply.on('data', (chunk: Buffer) => (bytes += chunk.length))
      reply.on('error', () => {})
      reply.on('close', () => resolve({ bytes, whole: reply.complete }))
    })
      .on('error', reject)
      .end()
  })
  await app.sql.query('alter table decision_gone rename to decision')
  expect(ended.whole).toBe(false)
  expect(ended.bytes).toBeGreaterThan(0)
})

test('requires the permission of the list and gives others no information', async () => {
  await makeDecisions(app, site, [{}])
  const billing = await makeMember(app, tenant, 'billing')
  const stranger = await makeMember(app, await makeTenant(app), 'owner')
  const replies = await Promise.all([createBrowser(app), billing, stranger].map((who) => who.get(path())))
  expect(replies.map(({ status }) => status)).toEqual([401, 403, 404])
  for (const { text, headers } of replies) {
    expect(text).not.toContain('dec_')
    expect(headers.get('content-disposition')).toBeNull()
  }
  const nowhere = await stranger.get('/export/decisions.csv?tenant=nowhere')
  expect(replies[2]?.text.replace(tenant.slug, 'nowhere')).toBe(nowhere.text)
})

test.each([
  ['an unknown outcome', { outcome: 'angry' }],
  ['a number that is none', { slow: '1e3' }],
  ['a moment that is none', { from: 'yesterday' }],
])('%s is refused before a file begins', async (_, query) => {
  expect((await person.get(path(query))).status).toBe(400)
})

test('the name of the file says which filters and period it has', async () => {
  const nameOf = async (query: Record<string, string>) =>
    (await person.get(path(query))).headers.get('content-disposition')
  const [from, to] = [1_795_132_800, 1_795_219_200] as const
  expect(await nameOf({ from: `${from}`, to: `${to}` })).toBe(
    `attachment; filename="decisions-${tenant.slug}-from-2026-11-20-to-2026-11-20.csv"`,
  )
  expect(await nameOf({ action: 'check out/"\r\n', slow: '15' })).toBe(
    `attachment; filename="decisions-${tenant.slug}-action-check-out-slow-15.csv"`,
  )
  const statement = await person.get(`/export/statement.csv?tenant=${tenant.slug}&month=2026-11-01`)
  expect(statement.headers.get('content-disposition')).toBe(
    `attachment; filename="statement-${tenant.slug}-2026-11.csv"`,
  )
})

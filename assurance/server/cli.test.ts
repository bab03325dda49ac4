import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createBrowser, PASSWORD } from '../../test/support/browser.ts'
import { cliOf } from '../../test/support/cli.ts'
import { makeSite } from '../../test/support/make.ts'
import { runCli, TEST_KEYS, type Words } from '../../test/support/process.ts'
import { testApp } from '../../test/support/testApp.ts'
import { written } from '../../test/support/written.ts'

const app = testApp()

const { tollgate, json } = cliOf(app)

test.concurrent.each([
  ['tenant make', 2, /Unknown command "tenant make"/],
  ['constructor', 2, /Unknown command "constructor"/],
  ['tenant create --name X', 2, /--quota is missing/],
  ['tenant create --name X --quota many', 2, /--quota must be a whole number of at least 0, not "many"/],
  ['site create --tenant nobody --name X --hostname a.example', 1, /There is no tenant "nobody"/],
  [
    'site create --tenant any --name X --hostname a.example --kind md5',
    2,
    /--kind must be one of sha256, auto, hashwx, not "md5"/,
  ],
  ['member add --tenant any --email a@b.example --role boss', 2, /--role must be one of owner, admin/],
  ['secret rotate --site tg_site_TESTpass000000000000', 1, /Test keys.*published/],
  ['secret rotate tg_site_x', 2, /Unexpected argument "tg_site_x"/],
  ['secret rotate --site', 2, /Did you forget to specify the option argument for '--site'/],
  [
    'secret rotate --site tg_site_x --color red',
    2,
    /Unknown option --color\. Known options: --json, --site, --overlap\.\n\nUsage: .* secret rotate/,
  ],
])('%s reports the error on standard error only', async (args, code, message) => {
  const ended = await tollgate(args, '--json')
  expect(ended.code).toBe(code)
  expect(ended.err).toMatch(message)
  expect(ended.err).not.toMatch(/\n\s+at /)
  expect(ended.out).toBe('')
})

test('reconcile --full finds an old decision that was deleted after a comparison, which reconcile does not', async () => {
  const site = await makeSite(app.ctx)
  const earned = await app.client.earn(site)
  expect((await app.client.siteverify(site, earned)).status).toBe(200)
  const { intent_id } = earned
  await app.sql.query(`update decision set redeemed_at = now() - interval '40 days' where id = $1`, [intent_id])
  await app.sql.query(
    `update quota_period set month = date_trunc('month', (now() - interval '40 days') at time zone 'utc') where tenant_id = $1`,
    [site.tenantId],
  )
  expect(await json('reconcile')).toMatchObject({ ok: true, mismatches: [] })
  await app.sql.query('delete from decision where id = $1', [intent_id])
  expect(await tollgate('reconcile')).toMatchObject({ code: 0, out: expect.stringContaining('All charges match.') })

  const full = await tollgate('reconcile --full --json')
  expect(full.code).toBe(1)
  expect(JSON.parse(full.out)).toMatchObject({
    ok: false,
    mismatches: [{ tenant_id: site.tenantId, kind: 'quota', charged: '1', expected: '0' }],
  })
  expect(await tollgate('reconcile --full')).toMatchObject({
    code: 1,
    out: expect.stringMatching(
      `Tenant ${site.tenantId}, quota of 20\\d\\d-\\d\\d: charged 1, but the decisions add up to 0\\.`,
    ),
  })
})

test('sites and tenants are listed and shown, paused and resumed, and their hostnames changed; doctor fails on a mistake', async () => {
  const { tenant_id = '', slug = '' } = await json('tenant create --name Shown --quota 5')
  const made = await makeSite(app.ctx, { tenantId: tenant_id })
  const site = ['--site', made.sitekey]
  const shown = {
    site_id: made.siteId,
    sitekey: made.sitekey,
    paused: false,
    live_secrets: 1,
    hostnames: ['shop.example'],
  }
  expect(await json('site show', ...site)).toMatchObject(shown)
  expect(await json('tenant show --tenant', slug)).toMatchObject({ included: 5, used: 0, sites: [shown] })
  expect(await json('tenant list')).toMatchObject({
    tenants: expect.arrayContaining([expect.objectContaining({ slug })]),
  })
  expect(await json('hostname add', ...site, '--hostname www.shop.example')).toMatchObject({
    hostnames: ['shop.example', 'www.shop.example'],
  })
  expect(await json('hostname remove', ...site, '--hostname www.shop.example')).toMatchObject({
    hostnames: ['shop.example'],
  })
  expect(await json('site pause', ...site)).toMatchObject({ paused: true })
  expect(await json('site resume', ...site)).toMatchObject({ paused: false })
  expect(await json('doctor', ...site)).toMatchObject({ ok: true, findings: [] })

  await app.client.intent(made, { session: 'plain' })
  await written(app)
  const found = await tollgate('doctor', ...site, '--language python')
  expect(found.code).toBe(1)
  expect(found.out).toContain('Error: The session or subject is not hashed')
  expect(found.out).toContain('+ session=hash_session(os.environ["SESSION_KEY"], session_id),')
})

test('lists of networks are changed and explained, and a file is checked without a database', async () => {
  const { tenant_id = '' } = await json('tenant create --name Listed --quota 1')
  const made = await json('site create --tenant', tenant_id, '--name Shop --hostname shop.example')
  const site = ['--site', made['sitekey'] ?? '']
  const add = (network: string, verdict: string, ...to: string[]) =>
    json('networks add --network', network, '--verdict', verdict, '--note Scrapers', ...to)
  expect(await add('203.0.113.9/24', 'deny')).toEqual({ network: '203.0.113.0/24', verdict: 'deny' })
  await add('203.0.113.7', 'allow', ...site)
  expect(await json('networks list')).toEqual({
    networks: [{ network: '203.0.113.0/24', verdict: 'deny', note: 'Scrapers' }],
  })

  const folder = mkdtempSync(join(tmpdir(), 'tollgate-cli-'))
  const file = join(folder, 'networks.txt')
  writeFileSync(file, '203.0.0.0/16 dear AS64500\n')
  const withFile = (...words: Words[]) =>
    runCli({ DATABASE_URL: app.databaseUrl, TOLLGATE_KEYS: TEST_KEYS, NETWORKS_FILE: file }, ...words)
  expect((await withFile('networks find 203.0.113.7', ...site)).out).toBe(
    `203.0.113.7: being busy costs its visitors nothing.
  203.0.113.7/32 allow, on the site’s list: Scrapers
It has the longest prefix; of equal ones, the site’s list is used before the deployment’s, and that before the file. Not used:
  203.0.113.0/24 deny, on the deployment’s list: Scrapers
  203.0.0.0/16 dear, on line 1 of NETWORKS_FILE: AS64500
`,
  )
  expect((await withFile('networks find 198.51.100.1')).out).toBe('198.51.100.1 is on no list.\n')
  expect((await withFile('networks find 2002:cb00:7101::1')).out).toBe(
    '2002:cb00:7101::1 is on no list.\nIt is an address of the provider 6to4.\n',
  )

  expect(await runCli({}, 'networks check', file)).toEqual({
    code: 0,
    out: `${file} is valid: 0 allow, 1 dear, 0 deny.\n`,
    err: '',
  })
  writeFileSync(file, '203.0.0.0/16 dear\n203.0.0.0/2 dear\n')
  expect(await runCli({}, 'networks check', file)).toEqual({
    code: 1,
    out: `${file}: line 2: 192.0.0.0/2 is wider than /8. Split it, or remove the line.\n`,
    err: '',
  })
  expect((await withFile('networks find 198.51.100.1')).err).toContain('line 2')
  expect((await runCli({}, 'networks check')).err).toContain('FILE is missing.')
  expect((await runCli({}, 'networks check', file, 'more')).err).toContain('Unexpected argument "more".')
  rmSync(folder, { recursive: true })

  await json('networks remove --network 203.0.113.0/24')
  const gone = await tollgate('networks remove --network 203.0.113.0/24')
  expect(gone).toMatchObject({ code: 1, err: expect.stringContaining('203.0.113.0/24 is not on the list.') })
})

test('an owner added on the command line chooses a password by the link and can use the tenant in the console', async () => {
  const { tenant_id = '', slug = '' } = await json('tenant create --name Owned --quota 1')
  const add = ['member', 'add', '--tenant', slug, '--email', 'Olga@Owned.example']
  const added = await json(...add)
  expect(added).toMatchObject({ tenant_id, email: 'olga@owned.example', role: 'owner' })
  const token = added['link']?.split('#token=')[1] ?? ''
  const browser = createBrowser(app)
  expect((await browser.post('/auth/reset-password', { token, newPassword: PASSWORD })).status).toBe(200)
  await browser.signIn('olga@owned.example')
  expect((await browser.query('session.me')).data).toMatchObject({ tenants: [{ slug, role: 'owner' }] })

  const again = await tollgate(...add)
  expect([again.code, again.err.trim()]).toEqual([1, 'olga@owned.example is already a member.'])
})

test('refuses an invalid hostname and explains the format', async () => {
  const { slug } = await json('tenant create --name Hosts --quota 1')
  const ended = await tollgate('site create --tenant', slug ?? '', '--name X --hostname https://shop.example')
  expect(ended.code).toBe(1)
  expect(ended.err).toMatch(/not a valid hostname\. Use lower case without scheme/)
})

test('suspends and restores a tenant of a running service, with a reason', async () => {
  const site = await makeSite(app.ctx)
  const why = ['--tenant', site.tenantId, '--reason', ['Court order 7']] as Words[]
  expect((await app.client.intent(site)).status).toBe(200)
  expect(await json('tenant suspend', ...why)).toEqual({ tenant_id: site.tenantId, suspended: true })
  // the service is notified through the database
  await expect.poll(async () => (await app.client.intent(site)).status, { timeout: 10_000 }).toBe(403)
  expect((await tollgate('tenant suspend', ...why)).err).toMatch(/is already suspended/)
  expect(await json('tenant restore', ...why)).toEqual({ tenant_id: site.tenantId, suspended: false })
  await expect.poll(async () => (await app.client.intent(site)).status, { timeout: 10_000 }).toBe(200)
})

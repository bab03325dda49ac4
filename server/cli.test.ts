import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cliOf } from '../test/support/cli.ts'
import { openTestDatabase } from '../test/support/database.ts'
import { runCli } from '../test/support/process.ts'
import { testApp } from '../test/support/testApp.ts'

const app = testApp()

const { tollgate, json } = cliOf(app)

test('migrate says what it has applied, and which user has its rights', async () => {
  const empty = await openTestDatabase({ empty: true })
  try {
    const settings = { DATABASE_URL: empty.serviceUrl, OWNER_DATABASE_URL: empty.url }
    const { username } = new URL(empty.serviceUrl)
    const first = await runCli(settings, 'migrate')
    expect(first.out).toMatch(/^Applied \d+ migrations and \d+ files of functions\. /)
    expect(first.out).toContain(`${username} has its rights.`)
    expect((await runCli(settings, 'migrate')).out).toBe(`The database is up to date. ${username} has its rights.\n`)
  } finally {
    await empty.close()
  }
})

test('provisions objects that work immediately and prints only JSON on standard output', async () => {
  const tenant = await json('tenant create --name', ['Äpfel & Birnen'], '--quota 1')
  expect(tenant).toEqual({ tenant_id: expect.stringMatching(/^[0-9a-f-]{36}$/), slug: 'apfel-birnen' })
  const site = await json(
    'site create --tenant',
    tenant['slug'] ?? '',
    '--name Shop --hostname shop.example --hostname www.shop.example --kind sha256',
  )
  expect(site).toEqual({
    site_id: expect.any(String),
    sitekey: expect.stringMatching(/^tg_site_/),
    secret: expect.stringMatching(/^tg_secret_/),
    hostname: 'shop.example',
    hostnames: ['shop.example', 'www.shop.example'],
  })
  const rows = await app.rows<{ challenge_kind: string }>(
    'update site set base_work = 64 where id = $1 returning challenge_kind',
    [site['site_id']],
  )
  expect(rows).toEqual([{ challenge_kind: 'sha256' }])
  expect(await json('site policy --site', site['sitekey'] ?? '')).toMatchObject({
    site_id: site['site_id'],
    policy: { baseWork: 64, workMode: 'adaptive', challengeKind: 'sha256', actions: [] },
    shadow: null,
  })

  const keys = { sitekey: site['sitekey'] ?? '', secret: site['secret'] ?? '' }
  const [one, two] = await Promise.all([app.client.earn(keys), app.client.earn(keys)])
  expect((await app.client.siteverify(keys, one)).status).toBe(200)
  expect((await app.client.siteverify(keys, two)).status).toBe(402)
  expect(await json('balance add --tenant', tenant['tenant_id'] ?? '', '--units 5')).toEqual({
    tenant_id: tenant['tenant_id'],
    balance: 5,
  })
  expect((await app.client.siteverify(keys, two)).status).toBe(200)
  expect(await json('quota set --tenant', tenant['slug'] ?? '', '--units 100')).toEqual({
    tenant_id: tenant['tenant_id'],
    included: 100,
    used: 1,
  })

  const rotated = await json('secret rotate --site', keys.sitekey, '--overlap 3600')
  expect((await app.client.intent({ ...keys, secret: rotated['secret'] ?? '' })).status).toBe(200)
  expect((await app.client.intent(keys)).status).toBe(200)
  expect(await json('reconcile')).toMatchObject({ ok: true, mismatches: [] })

  await app.sql.query('update quota_period set used = used + 1 where tenant_id = $1', [tenant['tenant_id']])
  const found = await tollgate('reconcile --json')
  expect(found.code).toBe(1)
  expect(JSON.parse(found.out)).toMatchObject({
    ok: false,
    mismatches: [{ tenant_id: tenant['tenant_id'], kind: 'quota', charged: '2', expected: '1' }],
  })
  await app.sql.query('update quota_period set used = used - 1 where tenant_id = $1', [tenant['tenant_id']])
}, 120_000)

test('--help prints the usage of all commands, or of one with its options, on standard output', async () => {
  const [all, one] = [await tollgate('--help'), await tollgate('secret rotate --help')]
  expect([all, one].map(({ code, err }) => ({ code, err }))).toEqual([
    { code: 0, err: '' },
    { code: 0, err: '' },
  ])
  expect(all.out).toContain('member add --tenant TENANT --email EMAIL [--role ROLE] [--name NAME]')
  expect(one.out).toMatch(/^Usage: .* secret rotate --site SITE \[--overlap SECONDS\]/)
  expect(one.out).toMatch(/--overlap SECONDS {2}how long/)
  expect(one.out).not.toContain('member add')
})

test('--help shows the call of a clone, and in production the one that takes the settings from a file', async () => {
  const [clone, production] = [await runCli({}, '--help'), await runCli({ NODE_ENV: 'production' }, '--help')]
  expect(clone.out).toMatch(/^Usage: npm run tollgate -- <command>/)
  expect(clone.out).toContain('npm run --silent tollgate')
  expect(production.out).toMatch(/^Usage: node --env-file=FILE dist\/server\/cli\.js <command>/)
  expect(production.out).not.toContain('npm')
})

test('a command reports a DATA_DIR without a database and creates nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-cli-'))
  const missing = join(folder, 'missing')
  try {
    for (const DATA_DIR of [folder, missing]) {
      const ended = await runCli({ DATA_DIR }, 'reconcile --json')
      expect(ended).toEqual({
        code: 1,
        out: '',
        err: `There is no database in ${DATA_DIR}. Start the service first. If it was started with DATA_DIR, set the same before the command: DATA_DIR=… npm run tollgate -- …\n`,
      })
    }
    expect(readdirSync(folder)).toEqual([])
    expect(existsSync(missing)).toBe(false)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}, 60_000)

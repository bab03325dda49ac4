import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openOwnApp, openTestApp, type TestApp } from '../../../test/support/app.ts'
import { type MadeSite, makeSite } from '../../../test/support/make.ts'
import { makeStaff } from '../../../test/support/staff.ts'
import { readConfig } from '../../kit/config/config.ts'
import { newId } from '../../kit/crypto/ids.ts'
import { reconcile } from '../quota/reconcile.ts'
import { statement } from '../usage/statement.ts'
import { archiveDecisions } from './archiveDecisions.ts'
import { archivedBefore, archivesOf } from './archived.ts'
import { KEPT } from './lines.ts'

const DAYS = 62
/** In seconds. */
const DAY = 86_400

/** A service with a retention of decisions, and the directory of its archives. */
async function open() {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-archive-'))
  const app = await openTestApp({ KEEP_DECISIONS_DAYS: String(DAYS), ARCHIVE_DIR: directory })
  onTestFinished(async () => {
    await app.close()
    rmSync(directory, { recursive: true })
  })
  return { app, directory }
}

/** Moves a redemption with everything about it to a UTC day `ago` days back, its charge and its count included. */
async function age(app: TestApp, site: MadeSite, id: unknown, ago: number): Promise<string> {
  const rows = await app.rows<{ day: string }>(
    `update decision set redeemed_at = ((now() at time zone 'utc')::date - $2::int + time '12:00') at time zone 'utc'
     where id = $1 returning (redeemed_at at time zone 'utc')::date::text as day`,
    [id, ago],
  )
  const day = rows[0]?.day ?? ''
  await app.sql.query('update quota_period set used = used - 1 where tenant_id = $1 and month = utc_month()', [
    site.tenantId,
  ])
  await app.sql.query(
    `insert into quota_period (tenant_id, month, included, used) values ($1, date_trunc('month', $2::date), 1000, 1)
     on conflict (tenant_id, month) do update set used = quota_period.used + 1`,
    [site.tenantId, day],
  )
  await app.sql.query("update tenant set created_at = now() - interval '3 years' where id = $1", [site.tenantId])
  return day
}

async function redeemed(app: TestApp, site: MadeSite, ago: number) {
  const session = 'a'.repeat(64)
  const earned = await app.client.earn(site, { session })
  const { body } = await app.client.siteverify(site, earned)
  const decision_id = String(body['decision_id'])
  expect((await app.client.asSite('/grants', site, { decision_id, session })).status).toBe(200)
  await app.client.feedback(site, { decision_id, event_id: earned['intent_id'], outcome: 'confirmed_abuse' })
  return { earned, id: String(earned['intent_id']), day: await age(app, site, earned['intent_id'], ago) }
}

const linesOf = (directory: string, day: string) =>
  gunzipSync(readFileSync(join(directory, `decisions-${day}.ndjson.gz`)))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { decision: { id: string }; feedback: unknown[]; grant: unknown })

const left = async (app: TestApp) =>
  (
    await app.rows(
      `select (select count(*)::int from decision) as decisions, (select count(*)::int from feedback_event) as reports,
         (select count(*)::int from captcha_grant) as grants, (select count(*)::int from feedback_mark) as marks`,
    )
  )[0]

test('days older than the retention are written to a file and deleted; charges, totals and statements stay the same', async () => {
  const { app, directory } = await open()
  const site = await makeSite(app.ctx)
  const [one, two, young] = [
    await redeemed(app, site, 63),
    await redeemed(app, site, 63),
    await redeemed(app, site, DAYS),
  ]
  const before = await statement(app.ctx, { id: site.tenantId }, `${one.day.slice(0, 7)}-01`)
  expect(before?.quota).toBeGreaterThan(0)

  expect(await archiveDecisions(app.ctx)).toBe(2)
  expect(await left(app)).toEqual({ decisions: 1, reports: 1, grants: 1, marks: 1 })
  const lines = linesOf(directory, one.day)
  expect(lines.map(({ decision }) => decision.id).toSorted()).toEqual([one.id, two.id].toSorted())
  expect(lines[0]).toMatchObject({ feedback: [{ outcome: 'confirmed_abuse' }], grant: { uses: 1 } })
  expect(JSON.stringify(lines)).not.toMatch(/network|area|subject|session/)

  const manifest = JSON.parse(readFileSync(join(directory, `decisions-${one.day}.json`), 'utf8')) as Record<
    string,
    unknown
  >
  const bytes = readFileSync(join(directory, `decisions-${one.day}.ndjson.gz`))
  expect(manifest).toMatchObject({ day: one.day, rows: 2, bytes: bytes.length })
  expect(manifest['sha256']).toBe(createHash('sha256').update(bytes).digest('hex'))
  expect(readdirSync(directory)).toHaveLength(2)

  for (const full of [true, false]) expect((await reconcile(app.ctx, { full })).mismatches).toEqual([])
  expect(await reconcile(app.ctx, { full: true })).toMatchObject({ decisions: 3 })
  expect(await statement(app.ctx, { id: site.tenantId }, `${one.day.slice(0, 7)}-01`)).toEqual(before)
  expect(await archiveDecisions(app.ctx)).toBe(0)
  // the youngest that is kept
  expect((await app.client.siteverify(site, young.earned)).body).toEqual({ error: 'already-redeemed' })
})

test('every column of an archived row is kept or left out on purpose', async () => {
  const { app } = await open()
  const leftOut: Record<keyof typeof KEPT, string[]> = {
    decision: ['network', 'area', 'subject'],
    feedback_event: [],
    captcha_grant: ['session'],
  }
  for (const table of ['decision', 'feedback_event', 'captcha_grant'] as const) {
    const rows = await app.rows<{ column_name: string }>(
      'select column_name from information_schema.columns where table_name = $1',
      [table],
    )
    const columns = rows.map(({ column_name: name }) => name).toSorted()
    expect([table, ...columns]).toEqual([table, ...KEPT[table].split(' ').concat(leftOut[table]).toSorted()])
  }
})

test('members learn up to which day decisions are archived, and staff the file in which a decision is', async () => {
  const { app } = await open()
  const [site, other] = [await makeSite(app.ctx), await makeSite(app.ctx)]
  const { day } = await redeemed(app, site, 63)
  const before = (of: MadeSite) => archivedBefore(app.ctx, { id: of.tenantId })
  const opened = (seconds: number) => newId((Date.parse(day) / 1000 + seconds) * 1000)
  expect([await before(site), await archivesOf(app.ctx, opened(0))]).toEqual([null, []])
  expect(await archiveDecisions(app.ctx)).toBe(1)
  expect(await before(site)).toBe(Date.parse(day) / 1000 + DAY)
  // it has none in the archive
  expect(await before(other)).toBeNull()

  const file = `decisions-${day}.ndjson.gz`
  expect(await archivesOf(app.ctx, opened(DAY / 2))).toEqual([file])
  // redeemed after midnight
  expect(await archivesOf(app.ctx, opened(-200))).toEqual([file])
  for (const seconds of [-400, DAY]) expect(await archivesOf(app.ctx, opened(seconds))).toEqual([])
  expect(await archivesOf(app.ctx, 'ffffffff-ffff-4fff-bfff-ffffffffffff')).toEqual([])

  const staff = await makeStaff(app, 'support')
  const search = async (text: string) => (await staff.mutate('staff.search', { text })).data
  expect(await search(opened(60))).toMatchObject({ hits: [], archives: [file] })
  expect(await search(`dec_${opened(60).replaceAll('-', '')}`)).toMatchObject({ hits: [], archives: [file] })
  expect(await search(site.siteId)).toMatchObject({ hits: [{ kind: 'site' }], archives: [] })
})

test('a redemption repeated after its decision is archived is refused and never charged again', async () => {
  const { app } = await open()
  const site = await makeSite(app.ctx)
  const { earned, id } = await redeemed(app, site, 63)
  // the intent is still there, as if its sweep had not run for months
  await app.sql.query(
    "update intent set created_at = now() - interval '63 days', expires_at = now() - interval '62 days' where id = $1",
    [id],
  )
  expect(await archiveDecisions(app.ctx)).toBe(1)
  expect((await app.client.siteverify(site, earned)).status).toBe(409)
  await app.sql.query('delete from intent where id = $1', [id])
  expect((await app.client.siteverify(site, earned)).body).toEqual({ error: 'response-invalid' })
  expect(await left(app)).toMatchObject({ decisions: 0 })
  expect((await reconcile(app.ctx, { full: true })).mismatches).toEqual([])
})

test('a run that ends between the file and the deletion, or in it, is continued without loss and without a second copy', async () => {
  const { app, directory } = await open()
  const site = await makeSite(app.ctx)
  const first = await redeemed(app, site, 64)
  const { day } = first
  const ids = [first, await redeemed(app, site, 64), await redeemed(app, site, 64)].map(({ id }) => id).toSorted()
  const query = app.ctx.hotPool.query.bind(app.ctx.hotPool)
  const failing = (times: number, limit?: number) => {
    let calls = 0
    return vi.spyOn(app.ctx.hotPool, 'query').mockImplementation(async (statement, values) => {
      if (statement.name === 'delete_archived_decisions' && ++calls > times) throw new Error('killed')
      return query(
        statement,
        statement.name === 'delete_archived_decisions' && limit ? [...values.slice(0, 3), limit] : values,
      )
    })
  }

  // before the file is recorded
  const record = vi.spyOn(app.ctx.prisma, '$queryRaw').mockImplementationOnce(() => Promise.resolve([]) as never)
  record.mockImplementationOnce(() => Promise.resolve([{ day, archived: false }]) as never)
  record.mockImplementationOnce(() => Promise.reject(new Error('killed')) as never)
  await expect(archiveDecisions(app.ctx)).rejects.toThrow('killed')
  record.mockRestore()
  expect(linesOf(directory, day)).toHaveLength(3)
  expect(await left(app)).toMatchObject({ decisions: 3 })

  // after it is recorded
  const spy = failing(0)
  await expect(archiveDecisions(app.ctx)).rejects.toThrow('killed')
  spy.mockRestore()
  expect(await left(app)).toMatchObject({ decisions: 3 })
  const written = readFileSync(join(directory, `decisions-${day}.ndjson.gz`))

  // in the middle: one of three is gone
  await query({ name: 'one', text: 'select delete_archived_decisions($1::date, $2::uuid, null, 1)' }, [
    day,
    site.tenantId,
  ])
  expect(await left(app)).toMatchObject({ decisions: 2 })
  for (const full of [true, false]) expect((await reconcile(app.ctx, { full })).mismatches).toEqual([])

  expect(await archiveDecisions(app.ctx)).toBe(2)
  expect(await left(app)).toMatchObject({ decisions: 0 })
  expect(readFileSync(join(directory, `decisions-${day}.ndjson.gz`))).toEqual(written)
  expect(
    linesOf(directory, day)
      .map(({ decision }) => decision.id)
      .toSorted(),
  ).toEqual(ids)
  expect(readdirSync(directory)).toHaveLength(2)
  const rows = await app.rows('select rows, deleted, deleted_at is not null as done from decision_archive')
  expect(rows).toEqual([{ rows: '3', deleted: '3', done: true }])
  expect(await reconcile(app.ctx, { full: true })).toMatchObject({ decisions: 3, mismatches: [] })
})

test('nothing is deleted if the file is missing or was changed, or if its directory does not exist', async () => {
  const { app, directory } = await open()
  const site = await makeSite(app.ctx)
  const { day } = await redeemed(app, site, 63)
  const query = app.ctx.hotPool.query.bind(app.ctx.hotPool)
  vi.spyOn(app.ctx.hotPool, 'query').mockImplementation(async (statement, values) => {
    if (statement.name === 'delete_archived_decisions') throw new Error('killed')
    return query(statement, values)
  })
  await expect(archiveDecisions(app.ctx)).rejects.toThrow('killed')
  vi.restoreAllMocks()
  const file = join(directory, `decisions-${day}.ndjson.gz`)
  const content = readFileSync(file)
  writeFileSync(file, content.subarray(0, -1))
  await expect(archiveDecisions(app.ctx)).rejects.toThrow('was changed')
  rmSync(file)
  await expect(archiveDecisions(app.ctx)).rejects.toThrow('does not exist')
  expect(await left(app)).toMatchObject({ decisions: 1 })
  writeFileSync(file, content)
  expect(await archiveDecisions(app.ctx)).toBe(1)

  await redeemed(app, site, 65)
  const missing = { ...app.ctx, config: { ...app.ctx.config, archiveDir: join(directory, 'none') } }
  await expect(archiveDecisions(missing)).rejects.toThrow('Create it, or mount it')
  expect(existsSync(join(directory, 'none'))).toBe(false)
  expect(await left(app)).toMatchObject({ decisions: 1 })
})

test('a decision that appears on an archived day is neither deleted nor does its file replace the archive', async () => {
  const { app, directory } = await open()
  const site = await makeSite(app.ctx)
  const { day } = await redeemed(app, site, 63)
  expect(await archiveDecisions(app.ctx)).toBe(1)
  const written = readFileSync(join(directory, `decisions-${day}.ndjson.gz`))
  await redeemed(app, site, 63)
  await expect(archiveDecisions(app.ctx)).rejects.toThrow(`There are decisions of ${day}`)
  expect(readFileSync(join(directory, `decisions-${day}.ndjson.gz`))).toEqual(written)
  expect(await left(app)).toMatchObject({ decisions: 1 })
  await expect(
    app.opened.database.pool.query('select delete_archived_decisions($1, $2, null, 10)', [day, site.tenantId]),
  ).rejects.toThrow('more decisions than its file')
})

test('the service can delete no decision that is recent or was not archived', async () => {
  const { app } = await open()
  const site = await makeSite(app.ctx)
  const { day } = await redeemed(app, site, 61)
  const own = app.opened.database.pool
  await expect(own.query('select record_archive($1, $2, 1, $3)', [day, 'x', 'y'])).rejects.toThrow('too recent')
  await expect(own.query('select delete_archived_decisions($1, $2, null, 10)', [day, site.tenantId])).rejects.toThrow(
    'was not archived',
  )
  for (const table of ['decision_archive', 'archived_decisions'])
    for (const statement of [`delete from ${table}`, `insert into ${table} default values`])
      await expect(own.query(statement)).rejects.toMatchObject({ code: '42501' })
  const older = await redeemed(app, site, 70)
  await expect(own.query('select record_archive($1, $2, 2, $3)', [older.day, 'x', 'y'])).rejects.toThrow(
    'has 2 decisions',
  )
})

test('without the settings nothing is archived, and a retention needs a directory', async () => {
  const app = await openOwnApp()
  const site = await makeSite(app.ctx)
  await redeemed(app, site, 1000)
  expect(await archiveDecisions(app.ctx)).toBe(0)
  expect(await left(app)).toMatchObject({ decisions: 1 })
  expect(() => readConfig({ KEEP_DECISIONS_DAYS: '100' })).toThrow('ARCHIVE_DIR')
  expect(() => readConfig({ KEEP_DECISIONS_DAYS: '61', ARCHIVE_DIR: '/x' })).toThrow('from 62 to 3650')
  expect(readConfig({ KEEP_DECISIONS_DAYS: '62', ARCHIVE_DIR: '/x' }).retention.decisionDays).toBe(62)
})

import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { startJobs } from '../../server/jobs.ts'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { makeSite } from '../../test/support/make.ts'
import { hasProgram, makeFolder } from './proxy.ts'

const ALERTS = 'deploy/prometheus/alerts.yml'
const DASHBOARD = 'deploy/grafana/tollgate.json'

let app: TestApp
let jobs: { close(): Promise<void> }
let before: string
let metrics: string
beforeAll(async () => {
  // nothing answers there, which is a state that /metrics shows
  app = await openTestApp({ REDIS_URL: 'redis://127.0.0.1:1' })
  jobs = await startJobs(app.opened)
  const site = await makeSite(app.ctx)
  before = await read()
  await app.client.intent(site)
  metrics = await read()
})
afterAll(async () => {
  await jobs.close()
  await app.close()
})

const read = async () => (await fetch(`${app.url}/metrics`)).text()

const value = (line: string, text = metrics) =>
  text
    .split('\n')
    .find((one) => one.startsWith(`${line} `))
    ?.slice(line.length + 1)

/** By how much a counter has risen: other tests may have run in this process before. */
const risen = (line: string) => Number(value(line)) - Number(value(line, before) ?? 0)

test('/metrics has the version, latencies, connections, jobs and Redis', () => {
  expect(value(`tollgate_build_info{version="test",node="${process.versions.node}"}`)).toBe('1')
  expect(risen('tollgate_request_duration_seconds_bucket{le="+Inf",endpoint="/intents"}')).toBe(1)
  expect(value('tollgate_database_connections{pool="verification",state="used"}')).toBe('0')
  expect(value('tollgate_database_connections_limit{pool="verification"}')).toBe('12')
  expect(value('tollgate_database_connections_waiting{pool="console"}')).toBe('0')
  expect(value('tollgate_job_runs_total{task="reconcile",result="failure"}')).toBe('0')
  expect(value('tollgate_redis_up')).toBe('0')
})

test('/metrics counts the runs of jobs', async () => {
  await app.sql.query(`select graphile_worker.add_job('sweep_refusals')`)
  await expect
    .poll(read, { timeout: 30_000 })
    .toContain('tollgate_job_runs_total{task="sweep_refusals",result="success"} 1')
})

/** The expressions of the alerts and of the dashboard. */
function expressions(): { where: string; expr: string }[] {
  const { groups } = parse(readFileSync(ALERTS, 'utf8')) as { groups: { rules: { alert: string; expr: string }[] }[] }
  const { panels, templating } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as {
    panels: { title: string; targets: { expr: string }[] }[]
    templating: { list: { name: string; query: string; type: string }[] }
  }
  return [
    ...groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => ({ where: `alert ${alert}`, expr }))),
    ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ where: `panel ${title}`, expr }))),
    ...templating.list.flatMap(({ name, query, type }) => (type === 'query' ? [{ where: name, expr: query }] : [])),
  ]
}

test('the alerts and the dashboard use only what /metrics has', () => {
  const names = new Set([...metrics.matchAll(/^(\w+)(?=[{ ])/gm)].map(([, name]) => name))
  const uses = expressions().flatMap(({ where, expr }) =>
    [...expr.matchAll(/\b(?:tollgate|nodejs|process)_\w+/g)].map(([name]) => ({ where, name })),
  )
  expect(uses.length).toBeGreaterThan(20)
  expect(uses.filter(({ name }) => !names.has(name))).toEqual([])
  // and every series of the service is on the dashboard or in an alert
  const used = new Set(uses.map(({ name }) => name))
  const series = [...names].filter((name = '') => name.startsWith('tollgate_') && !/_(sum|count)$/.test(name))
  expect(series.filter((name = '') => !used.has(name))).toEqual([])
})

const isInstalled = hasProgram('promtool')
const title = isInstalled ? '' : ' (skipped: promtool is not installed, see .ci/run)'

describe.runIf(isInstalled)(`promtool accepts${title}`, () => {
  const promtool = (args: string[], input = '') => {
    const { status, stdout, stderr } = spawnSync('promtool', args, {
      input,
      encoding: 'utf8',
      cwd: 'deploy/prometheus',
    })
    return { status, complaints: stderr, output: stdout }
  }

  test('/metrics', () => {
    expect(promtool(['check', 'metrics'], metrics)).toEqual({ status: 0, complaints: '', output: '' })
  })
  test('the alerts, which fire as their tests say', () => {
    expect(promtool(['check', 'rules', 'alerts.yml'])).toMatchObject({ status: 0, complaints: '' })
    const tested = promtool(['test', 'rules', 'alerts.test.yml'])
    expect([tested.status, tested.complaints, tested.output]).toEqual([0, '', expect.stringContaining('SUCCESS')])
  })
  test('every expression of the dashboard', () => {
    const rules = expressions().flatMap(({ where, expr }, i) =>
      where.startsWith('panel') ? [{ record: `panel:${i}`, expr: expr.replaceAll('$__rate_interval', '1m') }] : [],
    )
    const folder = makeFolder()
    const file = join(folder, 'rules.json')
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
    expect(promtool(['check', 'rules', file])).toMatchObject({ status: 0, complaints: '' })
    rmSync(folder, { recursive: true })
  })
})

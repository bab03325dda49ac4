import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { type Started, startReport } from './report.ts'

const people = [
  { email: 'owner@demo.example', name: 'O', role: 'owner', password: 'owner-password' },
  { email: 'viewer@demo.example', name: 'V', role: 'viewer', password: 'viewer-password' },
  { email: 'lead@tollgate.example', name: 'L', role: 'staff lead', password: 'lead-password' },
]
const started = (change: Partial<Started> = {}): Started => {
  const dataDir = change.config?.dataDir ?? resolve('.data')
  return {
    version: '1.2.3',
    embedded: true,
    interactive: true,
    demo: {
      url: 'http://localhost:3001',
      people,
      mailbox: 'http://localhost:3000/dev/mailbox?token=mailbox-token',
      file: `${dataDir}/demo.json`,
    },
    ...change,
    config: {
      production: false,
      publicUrl: 'http://localhost:3000',
      databaseUrl: undefined,
      keys: undefined,
      smtpUrl: undefined,
      host: '0.0.0.0',
      port: 3000,
      warnings: [],
      beforeProduction: undefined,
      dataDir,
      ...change.config,
    },
  }
}
const config = (change: Partial<Started['config']>) => started({ config: { ...started().config, ...change } })

test('a terminal shows how to sign in and the link to the mailbox', () => {
  const report = startReport(started())
  expect(report).toContain('owner@demo.example  owner-password  (owner)')
  expect(report).toContain('lead@tollgate.example  lead-password  (staff lead)')
  expect(report).toContain('Demo story http://localhost:3000/#story\n')
  expect(report).toContain('Mailbox    http://localhost:3000/dev/mailbox?token=mailbox-token\n')
  expect(report).not.toContain('viewer-password')
})

test('a log shows where to sign in and the command for the passwords, but no credentials', () => {
  const report = startReport({ ...started(), interactive: false })
  expect(report).toContain('Service    http://localhost:3000\n')
  expect(report).toContain('owner@demo.example  (owner)')
  expect(report).toContain(`Passwords  cat ${resolve('.data')}/demo.json\n`)
  expect(report).toContain('the link to the mailbox')
  expect(report).not.toMatch(/-password|-token/)
})

test('mentions no mailbox if e-mail is sent', () => {
  const sending = config({ smtpUrl: 'smtp://mail.example' })
  for (const interactive of [true, false]) expect(startReport({ ...sending, interactive })).not.toMatch(/mailbox/i)
})

test("the command for keys uses this service's data in any terminal", () => {
  expect(startReport(started())).toContain('  Keys       npm run tollgate -- site create')
  expect(startReport(config({ dataDir: '/srv/toll gate' }))).toContain(
    "  Keys       DATA_DIR='/srv/toll gate' npm run tollgate -- site create",
  )
  expect(startReport(config({ dataDir: "/srv/o'brien" }))).toContain(`cat '/srv/o'\\''brien/demo.json'`)
})

test('the command for keys has the address of this service, which its output names', () => {
  const moved = { port: 3010, publicUrl: 'http://localhost:3010' }
  expect(startReport(config(moved))).toContain('  Keys       PORT=3010 npm run tollgate -- site create')
  expect(startReport(config({ dataDir: '/srv/t', publicUrl: 'http://192.168.0.7:3000' }))).toContain(
    '  Keys       DATA_DIR=/srv/t PUBLIC_URL=http://192.168.0.7:3000 npm run tollgate -- site create',
  )
})

test('no command has secrets or their names: they would be in the history of the shell', () => {
  const keys = [{ id: 'k1', key: Buffer.alloc(32, 7) }]
  const databaseUrl = 'postgresql://u:hunter2@db/t'
  for (const change of [{ production: true }, { databaseUrl }, { keys }, { databaseUrl, keys, dataDir: '/srv/t' }]) {
    const { config: settings } = config(change)
    const evaluation = startReport(started({ config: settings }))
    expect(evaluation).toContain('  Keys       node --env-file=FILE dist/server/cli.js site create')
    const deployment = startReport(started({ config: settings, demo: undefined }))
    expect(deployment).toContain('  Commands   node --env-file=FILE dist/server/cli.js tenant create --name')
    for (const report of [evaluation, deployment])
      expect(report).not.toMatch(/npm run|DATABASE_URL|TOLLGATE_KEYS|hunter2/)
  }
})

test('production names the port, the command for the first tenant, and a missing mail server', () => {
  const own = { demo: undefined, embedded: false }
  const { config: settings } = config({
    production: true,
    databaseUrl: 'postgresql://u:hunter2@db/t',
    publicUrl: 'https://t.example',
    port: 4800,
  })
  const report = startReport({ ...started({ config: settings }), ...own })
  expect(report).toContain('Service    https://t.example, listening on 0.0.0.0:4800\n')
  expect(report).toContain('E-mail     none: set SMTP_URL, or no one can be invited')
  expect(report).toContain('node --env-file=FILE dist/server/cli.js tenant create --name NAME --quota UNITS\n')
  expect(report).not.toContain('hunter2')
  const sending = { ...settings, smtpUrl: 'smtp://mail.example' }
  expect(startReport({ ...started({ config: sending }), ...own })).not.toContain('E-mail')
})

test('prints no accounts in production', () => {
  expect(startReport({ ...started(), demo: undefined })).not.toMatch(/Sign in|cat |Mailbox|Keys/)
})

test('says that it is not production, and what is missing', () => {
  const report = startReport({
    ...config({
      beforeProduction: ['METRICS_TOKEN: required in production'],
      warnings: ['TOLGATE_KEYS is not a setting.'],
    }),
    demo: undefined,
  })
  expect(report).toContain('  Settings   TOLGATE_KEYS is not a setting.\n')
  expect(report).toContain('Not production: set NODE_ENV=production.')
  expect(report).toContain('METRICS_TOKEN: required in production\n')
  expect(startReport(started())).not.toContain('Not production')
})

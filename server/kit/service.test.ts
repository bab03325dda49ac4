import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext, TLSSocket } from 'node:tls'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { openTestDatabase, type TestDatabase, withDatabase } from '../../test/support/database.ts'
import { readConfig } from './config/config.ts'
import { OperatorError } from './error.ts'
import { createLog } from './process/log.ts'
import { openService } from './service.ts'

const role = `test_${randomBytes(8).toString('hex')}`
let database: TestDatabase
let sql: pg.Client
beforeAll(async () => {
  database = await openTestDatabase({ empty: true })
  sql = new pg.Client({ connectionString: withDatabase(inject('cluster'), database.name) })
  await sql.connect()
  await sql.query(`create role ${role} login password 'hunter2'; grant connect on database ${database.name} to ${role}`)
})
afterAll(async () => {
  await sql.query(`drop owned by ${role}; drop role ${role}`)
  await sql.end()
  await database.close()
})

/** The error message of a start with this database, which never contains the password. */
async function refusalOf(change: (url: URL) => void): Promise<string> {
  const url = new URL(database.url)
  change(url)
  const config = readConfig({
    DATABASE_URL: url.href,
    TOLLGATE_KEYS: `t1:${Buffer.alloc(32, 7).toString('base64url')}`,
  })
  const error: unknown = await openService(config, { kind: 'command', label: 'test' }, createLog('silent')).then(
    async (service) => service.close(),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(OperatorError)
  const { message } = error as OperatorError
  expect(message).not.toContain('hunter2')
  return message
}

const asRole = (url: URL) => {
  url.username = role
  url.password = 'hunter2'
}

test('explains why a database cannot be used and what to do, without the password', async () => {
  expect(await refusalOf((url) => url.searchParams.set('sslmode', 'require'))).toMatch(/not support SSL.*DATABASE_URL/)
  expect(await refusalOf((url) => (url.port = '1'))).toMatch(/Start it or correct DATABASE_URL/)
  expect(await refusalOf((url) => (url.pathname = '/none'))).toMatch(/Create the database first/)
  expect(await refusalOf(asRole)).toMatch(
    /permission denied.*Run `node --env-file=FILE .* migrate`, with OWNER_DATABASE_URL.*must be allowed to create tables/,
  )
})

test('names the database, not a certificate, if the socket of a path is missing', async () => {
  const message = await refusalOf((url) => url.searchParams.set('host', '/none'))
  expect(message).toMatch(/ENOENT.*Correct DATABASE_URL/)
  expect(message).not.toContain('sslrootcert')
})

test('names sslrootcert if the certificate of the database cannot be verified', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-tls-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [certificate, key] = [join(folder, 'crt.pem'), join(folder, 'key.pem')]
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, '-days', '2']
  execFileSync('openssl', [...request, '-subj', '/CN=db.example'], { stdio: 'ignore' })
  const secureContext = createSecureContext({ cert: readFileSync(certificate), key: readFileSync(key) })
  const server = createServer((socket) => {
    socket.on('error', () => {})
    // the request for TLS, which PostgreSQL accepts with an S
    socket.once('data', () => {
      socket.write('S')
      new TLSSocket(socket, { isServer: true, secureContext }).on('error', () => {})
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const refusal = (parameters: Record<string, string>) =>
    refusalOf((url) => {
      Object.assign(url, { hostname: '127.0.0.1', port: String((server.address() as AddressInfo).port) })
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    })

  expect(await refusal({ sslmode: 'verify-full' })).toMatch(
    /self-signed certificate.*Append `sslrootcert=\/path\/to\/ca\.pem` to DATABASE_URL/,
  )
  expect(await refusal({ sslmode: 'verify-full', sslrootcert: certificate })).toMatch(
    /does not match.*Let DATABASE_URL name the database server as its certificate does/,
  )
  expect(await refusal({ sslmode: 'verify-full', sslrootcert: join(folder, 'none.pem') })).toMatch(
    /none\.pem.*Correct `sslrootcert`, .* in DATABASE_URL/,
  )
  expect(await refusal({ sslmode: 'verify-full', sslrootcert: key })).toMatch(/sslrootcert/)
})

test('a service whose user cannot migrate starts after the owner has migrated, and not before', async () => {
  const fresh = await openTestDatabase({ empty: true })
  const open = (settings: Record<string, string>) =>
    openService(
      readConfig({ DATABASE_URL: fresh.serviceUrl, ...settings }),
      { kind: 'command', label: 'test' },
      createLog('silent'),
    )
  try {
    await expect(open({})).rejects.toThrow(/permission denied.*cli\.js migrate`, with OWNER_DATABASE_URL/)
    await expect(open({ OWNER_DATABASE_URL: fresh.url.replace('//', '//other.') })).rejects.toThrow(
      /Correct the user or password in OWNER_DATABASE_URL/,
    )
    const migrated = await open({ OWNER_DATABASE_URL: fresh.url })
    expect(migrated.applied).toContain('captcha/redemption/redeem.sql')
    expect(migrated.granted).toBe(new URL(fresh.serviceUrl).username)
    await migrated.close()
    const service = await open({})
    expect(await service.ctx.prisma.tenant.count()).toBe(0)
    await expect(service.ctx.prisma.auditEvent.deleteMany()).rejects.toThrow(/permission denied/)
    await service.close()
    const wrong = fresh.serviceUrl.replace(/:[^:@]+@/, ':wrong@')
    await expect(open({ DATABASE_URL: wrong, OWNER_DATABASE_URL: fresh.url })).rejects.toThrow(
      /Correct the user or password in DATABASE_URL/,
    )
  } finally {
    await fresh.close()
  }
})

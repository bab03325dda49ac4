import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createPlainServer } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { readVectors } from '../../testing/vectors.ts'
import { own } from '../testing/run.ts'
import { Tollgate } from './client.ts'
import { UnavailableError } from './errors.ts'
import { testKeys } from './testKeys.ts'
import type { Redemption } from './types.ts'

// Faults of an address are not better a second later: nothing was sent, and nothing is repeated.

let server: Server
let connections = 0
const folder = mkdtempSync(join(tmpdir(), 'tollgate-tls-'))

beforeAll(async () => {
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(folder, name)) as [string, string]
  const made = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost'
  execFileSync('openssl', [...made.split(' '), '-keyout', key, '-out', cert], { stdio: 'ignore' })
  server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_request, response) =>
    response.end('{}'),
  )
  server.on('connection', () => connections++)
  server.listen(0, 'localhost')
  await once(server, 'listening')
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

afterEach(() => vi.restoreAllMocks())

const failed = (code: string, more: object = {}) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code, ...more }) })

/** Lets each connection fail with a code of Node.js. */
const failFetch = (code: string, more: object = {}) =>
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(failed(code, more))

/** The error of a redemption at this address. */
const failAt = (url: string): Promise<unknown> =>
  new Tollgate({ url, ...testKeys.pass, deadline: 2_000 })
    .verify(own(readVectors('calls')['verify']?.input ?? {}) as unknown as Redemption)
    .catch((error: unknown) => error)

test('a certificate that is not accepted is named, and the call is not repeated', async () => {
  const error = await failAt(`https://localhost:${(server.address() as AddressInfo).port}`)
  expect(error).toBeInstanceOf(UnavailableError)
  expect(error).toMatchObject({ retryable: false, status: undefined })
  expect(String(error)).toMatch(/Nothing was sent, .*certificate.*NODE_EXTRA_CA_CERTS.*DEPTH_ZERO_SELF_SIGNED_CERT/)
  expect(connections).toBe(1)
})

test('a server that does not speak TLS is named, and the call is not repeated', async () => {
  const plain = createPlainServer((_request, response) => response.end('{}'))
  let tries = 0
  plain.on('connection', () => tries++)
  plain.listen(0, 'localhost')
  await once(plain, 'listening')
  const error = await failAt(`https://localhost:${(plain.address() as AddressInfo).port}`)
  plain.close()
  expect(error).toMatchObject({ code: 'unreachable', retryable: false, status: undefined })
  expect(String(error)).toContain('Nothing was sent, because the server at `url` does not speak TLS')
  expect(tries).toBe(1)
})

test('a port at which nothing listens is named with its host, waited for, and was sent nothing', async () => {
  const closed = createPlainServer().listen(0, 'localhost')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  closed.close()
  await once(closed, 'close')
  const error = await failAt(`http://localhost:${port}`)
  expect(error).toMatchObject({ code: 'unreachable', retryable: true, status: undefined })
  expect(String(error)).toMatch(
    new RegExp(`Nothing was sent, because nothing listens .*\\(unreachable, localhost:${port}, ECONNREFUSED\\)$`),
  )
})

test.each([
  ['EHOSTUNREACH', { syscall: 'connect' }, 'no connection', true],
  ['ETIMEDOUT', { syscall: 'connect' }, 'no connection', true],
  ['ETIMEDOUT', { errors: [{ syscall: 'connect' }] }, 'no connection', true],
  ['UND_ERR_CONNECT_TIMEOUT', {}, 'no connection', true],
  ['ENOTFOUND', {}, 'the host name in `url` does not exist', false],
  ['EAI_AGAIN', { syscall: 'getaddrinfo' }, 'the name server gave no address', true],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', {}, 'the TLS handshake', false],
  [
    'ECONNRESET',
    { message: 'Client network socket disconnected before secure TLS connection was established' },
    'the TLS handshake',
    true,
  ],
])('nothing was sent with %s %o', async (code, more, says, retryable) => {
  const tries = failFetch(code, more)
  const error = await failAt('https://tollgate.example/captcha')
  expect(error).toMatchObject({ code: 'unreachable', retryable })
  expect(tries.mock.calls.length > 1).toBe(retryable)
  expect(String(error)).toContain(`Nothing was sent, because ${says}`)
  expect(String(error)).toContain(`(unreachable, tollgate.example:443, ${code})`)
})

test.each([
  ['ECONNRESET', {}],
  ['ETIMEDOUT', { syscall: 'read' }],
  ['UND_ERR_SOCKET', {}],
])('something may have been sent with %s %o', async (code, more) => {
  failFetch(code, more)
  expect(String(await failAt('https://tollgate.example'))).toMatch(
    new RegExp(`no answer, so what became of the call is not known.*tollgate\\.example:443, ${code}\\)$`),
  )
})

test('a service that is gone after a try that may have arrived leaves open what became of the call', async () => {
  failFetch('ECONNREFUSED', { syscall: 'connect' }).mockRejectedValueOnce(failed('ECONNRESET'))
  const error = await failAt('http://localhost:4700')
  expect(error).toMatchObject({ code: 'unreachable', retryable: true })
  expect(String(error)).toMatch(/what became of the call is not known.*localhost:4700, ECONNREFUSED/)
})

import { createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openReceiver } from '../../../test/support/webhooks.ts'
import { rangesOf } from './address.ts'
import { isPublic, postOnce, reachableAddresses } from './outbound.ts'

const LOOPBACK = rangesOf('127.0.0.0/8')
const HEADERS = { 'content-type': 'application/json' }
const post = (url: string, resolve?: () => Promise<string[]>, timeoutMs = 5000) =>
  postOnce(new URL(url), HEADERS, '{}', { allowed: LOOPBACK, resolve, timeoutMs })

describe('only addresses of the internet are public', () => {
  test.each(['1.1.1.1', '168.63.129.17', '2606:4700::1111', '::ffff:1.1.1.1', '64:ff9b::1.1.1.1'])('%s is', (text) => {
    expect(isPublic(text)).toBe(true)
  })

  test.each([
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '172.16.0.1',
    '192.0.0.192',
    '192.168.1.1',
    '198.18.0.1',
    '203.0.113.9',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:169.254.169.254',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::10.0.0.1',
    '2002:7f00:1::',
    '2001:db8::1',
    '2001::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '4000::1',
    'example.com',
    '',
  ])('"%s" is not', (text) => {
    expect(isPublic(text)).toBe(false)
  })
})

test.each([
  'https://2130706433/',
  'https://0x7f.1/',
  'https://017700000001/',
  'https://127.1/',
  'https://[::ffff:7f00:1]/',
  'https://[::1]/',
  'https://localhost/',
  'https://a.localhost/',
  'http://127.0.0.1/',
])('%s has no public address', async (url) => {
  expect(await reachableAddresses(new URL(url), { allowed: [] })).toBe('not-public')
})

test.each(['http://1.1.1.1/', 'ftp://1.1.1.1/'])('%s needs https', async (url) => {
  expect(await reachableAddresses(new URL(url), { allowed: [] })).toBe('not-https')
})

test('of a name with several addresses, only those that may be called are', async () => {
  const resolve = async () => ['10.0.0.1', '1.1.1.1', '::1', '2606:4700::1111']
  expect(await reachableAddresses(new URL('https://shop.example/'), { allowed: [], resolve })).toEqual([
    '1.1.1.1',
    '2606:4700::1111',
  ])
  const reject = () => Promise.reject(new Error('ENOTFOUND'))
  expect(await reachableAddresses(new URL('https://shop.example/'), { allowed: [], resolve: reject })).toBe(
    'unresolved',
  )
})

test('a name is resolved once, and the connection goes to the address that was checked', async () => {
  const { url, received } = await openReceiver()
  const answers = [['127.0.0.1'], ['169.254.169.254']]
  let asked = 0
  const resolve = async () => answers[asked++] ?? []
  const { port } = new URL(url)
  expect(await post(`http://rebinding.example:${port}/hook`, resolve)).toMatchObject({ status: 200, text: 'thanks' })
  expect([asked, received[0]?.headers.host]).toEqual([1, `rebinding.example:${port}`])
  expect(await post(`http://rebinding.example:${port}/hook`, resolve)).toMatchObject({
    status: null,
    text: 'the host has no public address',
  })
  expect(received).toHaveLength(1)
})

test('a redirect is a reply, and is not followed', async () => {
  const { url, received } = await openReceiver((_, response) => response.writeHead(302, { location: '/other' }).end())
  expect(await post(url)).toMatchObject({ status: 302 })
  expect(received).toHaveLength(1)
})

test('reads a kilobyte of a reply that never ends, and stores no NUL', async () => {
  const { url } = await openReceiver((_, response) => {
    const flood = () => response.destroyed || response.write('\0y'.repeat(40_000), flood)
    flood()
  })
  expect(await post(url)).toMatchObject({ status: 200, text: 'y'.repeat(512) })
})

test.each([
  ['sends nothing', '', { status: null, text: 'no reply within 0.5 seconds' }],
  ['never ends its head', 'HTTP/1.1 200 OK\r\nx: ', { status: null, text: 'no reply within 0.5 seconds' }],
  ['never ends its reply', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf', { status: 200, text: 'half' }],
])('gives up on a server that %s', async (_, says, expected) => {
  const server = createServer((socket) => void socket.on('error', () => {}).write(says))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const { port } = server.address() as { port: number }
  expect(await post(`http://127.0.0.1:${port}`, undefined, 500)).toMatchObject(expected)
})

test('sends nothing to a name that was resolved too late', async () => {
  const { url, received } = await openReceiver()
  let answer = (_addresses: string[]) => {}
  const resolve = () => new Promise<string[]>((done) => (answer = done))
  expect(await post(url.replace('127.0.0.1', 'slow.example'), resolve, 100)).toMatchObject({ status: null })
  answer(['127.0.0.1'])
  expect(await post(url)).toMatchObject({ status: 200 })
  expect(received).toHaveLength(1)
})

test('says why there is no reply', async () => {
  const server = createServer((socket) => socket.resume().end('SSH-2.0-not-http\r\n'))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  expect(await post(`http://127.0.0.1:${port}`)).toMatchObject({
    status: null,
    text: expect.stringMatching(/Parse Error/),
  })
  await new Promise((done) => server.close(done))
  expect(await post(`http://127.0.0.1:${port}`)).toMatchObject({
    status: null,
    text: expect.stringMatching(/ECONNREFUSED/),
  })
})

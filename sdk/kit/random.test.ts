import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Drawn, expectRandom } from './random.ts'

type Attempt = { nonce: string; intent: string; secret: string; session: string; at: number; count: number }

const SECRET = `tg_secret_${randomBytes(24).toString('hex')}`

/** What `expectRandom` says about the keys of so many attempts. */
function judge(drawKey: (attempt: Attempt) => string, many = 20): string | undefined {
  const session = randomBytes(32).toString('hex')
  const drawn = Array.from({ length: many }, (_, count): Drawn => {
    const nonce = randomBytes(24).toString('base64url')
    const attempt = { nonce, intent: randomUUID(), secret: SECRET, session, at: 1_800_000_000_000 + count * 997, count }
    const others = [attempt.nonce, attempt.intent, attempt.secret, attempt.session, 'signup', 'localhost']
    return { value: drawKey(attempt), others, at: attempt.at + 20 }
  })
  try {
    expectRandom('the key', drawn)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

const hash = (text: string, name = 'sha256') => createHash(name).update(text).digest('hex')
const asUuid = (hex: string, version: string) =>
  hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, `$1-$2-${version}$3-a$4-$5`)
const withoutCase = (text: string) => text.toUpperCase()

test.each<[string, (attempt: Attempt) => string, RegExp]>([
  [
    'an HMAC of the nonce with the secret',
    ({ secret, nonce }) => createHmac('sha256', secret).update(nonce).digest('hex'),
    /HMAC/,
  ],
  [
    'an HMAC of the secret with the nonce',
    ({ secret, nonce }) => createHmac('sha512', nonce).update(secret).digest('base64url'),
    /HMAC/,
  ],
  ['a hash of the nonce', ({ nonce }) => hash(nonce), /hash/],
  [
    'a short hash of intent and session',
    ({ intent, session }) => hash(`${intent}:${session}`, 'md5').slice(0, 20),
    /hash/,
  ],
  ['a hash after a prefix', ({ intent }) => `order-${hash(intent, 'sha1')}`, /hash/],
  ['the middle of a hash', ({ intent }) => hash(intent).slice(10, 42), /hash/],
  ['a hash in capitals', ({ intent }) => withoutCase(hash(intent)), /hash/],
  ['a hash in the form of a UUID', ({ intent }) => asUuid(hash(intent), '4'), /hash/],
  ['the nonce with a prefix', ({ nonce }) => `key-${nonce}`, /part of another value/],
  ['the nonce in Base64', ({ nonce }) => Buffer.from(nonce).toString('base64url'), /part of another value/],
  ['the intent in hexadecimal', ({ intent }) => Buffer.from(intent).toString('hex'), /part of another value/],
  ['a hash of the time', ({ at }) => hash(String(at)), /time/],
  ['a hash of a counter', ({ count }) => hash(String(count)), /counter/],
  [
    'a hash of an unknown name, as a UUID of version 5',
    () => asUuid(randomBytes(16).toString('hex'), '5'),
    /version 4/,
  ],
  ['the time and a counter', ({ at, count }) => `order-key-${at}-${count}`, /predicted/],
  ['a counter with zeros', ({ count }) => `0123456789abcdef-${String(count).padStart(20, '0')}`, /predicted/],
  [
    'a little chance after a long prefix',
    () => `a-long-prefix-for-keys-${randomBytes(3).toString('hex')}`,
    /predicted/,
  ],
  [
    'one character again and again',
    ({ count }) => 'abcdefghijklmnopqrstu'[count % 20]?.repeat(32) ?? '',
    /few characters/,
  ],
])('%s is not a random key', (_, drawKey, said) => {
  expect(judge(drawKey)).toMatch(said)
})

/** 48 bits of time, then chance. */
const uuid7 = ({ at }: Attempt) => asUuid(at.toString(16).padStart(12, '0') + randomBytes(10).toString('hex'), '7')

test.each<[string, (attempt: Attempt) => string]>([
  ['32 hex digits', () => randomBytes(16).toString('hex')],
  ['22 characters', () => randomBytes(16).toString('base64url')],
  ['48 characters', () => randomBytes(36).toString('base64url')],
  ['a UUID of version 4', () => randomUUID()],
  ['a UUID of version 7', uuid7],
  ['a prefix and 128 bits', () => `order_${randomBytes(16).toString('hex')}`],
])('%s are a random key, for few attempts and for many', (_, drawKey) => {
  for (const many of [1, 8, 9, 20, 200]) expect(judge(drawKey, many)).toBeUndefined()
})

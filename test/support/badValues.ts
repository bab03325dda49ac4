import { createHash } from 'node:crypto'

/** What is wrong with a value, and the value. */
type Value = [what: string, value: unknown]

/** A value of the grammar `hmac`. */
export const HMAC = createHash('sha256').update('x').digest('hex')
export const UUID = '01890000-0000-7000-8000-000000000000'

/** Values that no field accepts. */
const NEVER: Value[] = [
  ['null', null],
  ['a number', 12345],
  ['true', true],
  ['an array', ['checkout']],
  ['an object', { a: 1 }],
  ['an empty string', ''],
  ['a space', ' '],
  ['a NUL', 'a\u0000bcdefghijklmnop'],
  ['a lone surrogate', '\ud800'],
  ['a Kelvin sign', '\u212aelvin_kelvin_kelvin'],
  ['a full-width letter', 'ａbcdefghijklmnopq'],
]
const NUMBERS: Value[] = [
  ['a string of digits', '60'],
  ['a fraction', 60.5],
  ['a negative', -1],
  ['too large', 2 ** 53],
  ['null', null],
  ['true', true],
  ['an array', [60]],
]

const withNewline = (good: string): Value[] => [
  ['a trailing newline', `${good}\n`],
  ['a trailing CR', `${good}\r`],
  ['a leading space', ` ${good}`],
]

const NO_HOSTNAME: Value[] = [
  ['a scheme', 'https://shop.example'],
  ['a port', 'shop.example:443'],
  ['a trailing dot', 'shop.example.'],
  ['upper case', 'Shop.example'],
  ['a wildcard', '*.shop.example'],
  ['an empty label', 'shop..example'],
  ['a leading dash', '-shop.example'],
  ['a trailing dash', 'shop-.example'],
  ['a label of 64', `${'a'.repeat(64)}.example`],
  ['254 characters', `${'a.'.repeat(126)}aa`],
  ['an umlaut', 'shöp.example'],
  ['an underscore', 'sh_op.example'],
  ['a path', 'shop.example/'],
  ['a user', 'user@shop.example'],
  ['IPv6', '[::1]'],
  ...withNewline('shop.example'),
]

/** What each grammar refuses in addition. */
const GRAMMAR: Record<string, Value[]> = {
  name: [['65 characters', 'a'.repeat(65)], ['a dot', 'check.out'], ['a slash', 'a/b'], ...withNewline('checkout')],
  key: [
    ['15 characters', 'a'.repeat(15)],
    ['129 characters', 'a'.repeat(129)],
    ['an equals sign', `${'a'.repeat(20)}=`],
    ...withNewline('a'.repeat(20)),
  ],
  hmac: [
    ['63 digits', 'a'.repeat(63)],
    ['65 digits', 'a'.repeat(65)],
    ['upper case', 'A'.repeat(64)],
    ['a g', 'g'.repeat(64)],
    ...withNewline(HMAC),
  ],
  uuid: [
    ['braces', `{${UUID}}`],
    ['a urn', `urn:uuid:${UUID}`],
    ['no dashes', UUID.replaceAll('-', '')],
    ['a g', UUID.replace('0', 'g')],
    ...withNewline(UUID),
  ],
  'bare hostname': NO_HOSTNAME,
  hostname: [...NO_HOSTNAME, ['a hostname that is not allowed', 'evil.example'], ['a short IPv4 spelling', '127.1']],
  token: [
    ['no prefix', 'A'.repeat(40)],
    ['another prefix', `tgx_${'A'.repeat(40)}`],
    ['only the prefix', 'tgr_'],
    ['513 characters', `tgr_${'A'.repeat(509)}`],
    ['padding', 'tgr_AAA='],
    ...withNewline('tgr_AAAA'),
  ],
  decision: [
    ['no prefix', 'a'.repeat(32)],
    ['65 characters', `dec_${'a'.repeat(61)}`],
    ['a dot', 'dec_a.b'],
    ['an unknown decision', `dec_${'0'.repeat(32)}`],
    ...withNewline('dec_abc'),
  ],
  outcome: [
    ['another word', 'fraud'],
    ['upper case', 'LEGITIMATE'],
    ['an inherited name', 'constructor'],
    ...withNewline('legitimate'),
  ],
  sitekey: [
    ['an unknown site', 'tg_site_00000000000000000000'],
    ['19 characters', 'tg_site_0000000000000000000'],
    ['a secret’s prefix', 'tg_secr_00000000000000000000'],
    ...withNewline('tg_site_00000000000000000000'),
  ],
  opaque: [['padding', 'AAA='], ['base64, not base64url', 'AA+/'], ...withNewline('AAAA')],
  seconds: [...NUMBERS, ['before the redemption', 1], ['in the future', 4_000_000_000]],
  ttl: [...NUMBERS, ['59', 59], ['3601', 3601]],
  uses: [...NUMBERS, ['0', 0], ['11', 11]],
}

/** The values that a field of the grammar refuses. */
export const badValuesOf = (grammar: string): Value[] => [
  ...(grammar === 'seconds' || grammar === 'ttl' || grammar === 'uses' ? [] : NEVER),
  ...(GRAMMAR[grammar] ?? []),
]

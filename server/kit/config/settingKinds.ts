import { isIP } from 'node:net'
import { parseCidr } from '../http/address.ts'
import { readRedisUrl } from '../limits/redisUrl.ts'

/** What a text should have been, for the sentence "expected …", and the part of it that is wrong if not all of it is. */
export class Expected {
  readonly what: string
  readonly part: string | undefined

  constructor(what: string, part?: string) {
    this.what = what
    this.part = part
  }
}

/** Reads the text of a setting, which is not empty and has no blanks, quotes or control characters at its ends. */
export type Read<T> = (text: string) => T | Expected

const matching =
  (what: string, test: (text: string) => boolean): Read<string> =>
  (text) =>
    test(text) ? text : new Expected(what)

export const oneOf =
  <const T extends string>(...texts: T[]): Read<T> =>
  (text) =>
    texts.find((each) => each === text) ?? new Expected(`${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`)

export const onOff = oneOf('on', 'off')

/** Decimal digits only: no sign, separator, unit or leading zero. */
export const whole =
  (least: number, most: number, what = 'a whole number'): Read<number> =>
  (text) => {
    const number = /^(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : Number.NaN
    return number >= least && number <= most ? number : new Expected(`${what} from ${least} to ${most}`)
  }

export const port = whole(0, 65_535, 'a port number')
/** A limit of which there has to be at least one. */
export const count = whole(1, 9_999_999)
export const units = whole(0, 999_999_999_999)
export const days = (least: number): Read<number> => whole(least, 3650)
export const seconds = (least: number, most: number): Read<number> => whole(least, most, 'whole seconds')

export const workers: Read<number | 'auto'> = (text) => {
  const number = text === 'auto' ? text : whole(1, 99)(text)
  return number instanceof Expected
    ? new Expected('auto, one process per core, or a number of processes from 1 to 99')
    : number
}

const url = (form: RegExp, what: string): Read<string> =>
  matching(what, (text) => !/\s/.test(text) && form.test(text) && URL.canParse(text))

export const databaseUrl = url(
  /^postgres(ql)?:\/\/[^/]+\/[^/?]+/,
  'postgresql://user:password@host:5432/database, with / as %2F, # as %23 and ? as %3F in the password',
)
export const origin = url(
  /^https?:\/\/[^/?#@,*]+$/,
  'an origin such as https://tollgate.example, with nothing after host and port',
)
export const mailServer = url(/^smtps?:\/\/[^/]+/, 'smtp://user:password@host:587')
export const contact = url(/^(https?:\/\/|mailto:)./, 'https://… or mailto:…, where merchants reach you')
export const collector = url(/^https?:\/\/[^/?#@]+[^?#]*$/, 'an address such as http://collector:4318')

export const redisUrl = matching(
  'redis://host:6379, or redis+sentinel://host:26379,host:26379/name',
  (text) => !/\s/.test(text) && readRedisUrl(text) !== undefined,
)

/** A name whose last label is a number would be read as an IPv4 address in an old notation, such as 127.1. */
const HOST_NAME = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)*[a-z_](?:[a-z0-9_-]*[a-z0-9_])?$/i

export const host = matching(
  'an address or a host name of this machine without scheme, port and brackets, such as 0.0.0.0 or ::',
  (text) => isIP(text) > 0 || (text.length <= 253 && HOST_NAME.test(text)),
)

/** No shell has read the text: `~` is not replaced, and a comment behind it is part of it. */
export const path = matching(
  'a path, without ~, quotes and comments',
  (text) => !/^(~|[a-z]+:\/\/)|^["'`]|["'`]$|\s#/i.test(text),
)

export const sender = matching('an address such as Tollgate <no-reply@tollgate.example>', (text) =>
  /^(?:[^<>]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/.test(text),
)

export const text = matching('one line of at most 300 characters', (text) => /^[^\p{Cc}]{1,300}$/u.test(text))
export const issuer = url(
  /^https?:\/\/[^/?#@]+[^?#]*$/,
  "the issuer's URL as the provider writes it, such as https://sso.example.com/realms/main",
)
export const visible = matching('text without spaces', (text) => /^[!-~]{1,512}$/.test(text))
export const label = matching('at most 40 characters', (text) => text.length <= 40)

/** Comma-separated host names, in lower case. */
export const hostNames: Read<string[]> = (text) => {
  const list = text.split(',').map((part) => part.trim().toLowerCase())
  const wrong = list.find((part) => !HOST_NAME.test(part))
  return wrong === undefined ? list : new Expected('comma-separated domains such as example.com', wrong)
}

export type StaffClaim = { claim: string; value: string; level: 'support' | 'lead' }

/** Comma-separated `claim:value` or `claim:value=level`. A claim's name can be a URL; without a level it is lead. */
export const staffClaims: Read<StaffClaim[]> = (text) => {
  const parts = text.split(',').map((part) => part.trim())
  const form = /^((?:https?:\/\/)?[^:,\s]+):([^,]+?)(?:=(support|lead))?$/
  const wrong = parts.find((part) => !form.test(part))
  if (wrong !== undefined)
    return new Expected('claim:value pairs such as groups:tollgate-leads=lead, separated by commas', wrong)
  return parts.map((part) => {
    const [, claim = '', value = '', level = 'lead'] = form.exec(part) ?? []
    return { claim, value, level: level as StaffClaim['level'] }
  })
}

export const token = matching('at least 16 characters without spaces', (text) => /^[!-~]{16,}$/.test(text))

/** Comma-separated addresses and ranges, as they are written. */
export const networks: Read<string[]> = (text) => {
  const list = text.split(',').map((part) => part.trim())
  const wrong = list.find((part) => parseCidr(part) === undefined)
  return wrong === undefined ? list : new Expected('comma-separated addresses or CIDR ranges such as 10.0.0.0/8', wrong)
}

export type SealingKey = { id: string; key: Buffer }

/** Comma-separated `id:key` pairs: the first key seals, all keys can open. A key is 32 bytes in base64url. */
export const sealingKeys: Read<SealingKey[]> = (text) => {
  const pairs = text.split(',').map((pair) => /^([a-z0-9]{1,16}):([A-Za-z0-9_-]{43})$/.exec(pair.trim()))
  if (pairs.some((pair) => pair === null))
    return new Expected('id:KEY pairs, KEY being 32 random bytes in base64url, separated by commas')
  const keys = pairs.map((pair) => ({ id: pair?.[1] ?? '', key: Buffer.from(pair?.[2] ?? '', 'base64url') }))
  return new Set(keys.map(({ id }) => id)).size === keys.length
    ? keys
    : new Expected('an id of its own for each key, but two keys share an id')
}

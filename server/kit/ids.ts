import { randomBytes, randomFillSync } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { v7 } from 'uuid'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const ENTROPY = new Uint8Array(16 * 256)
let spent = ENTROPY.length

/** 16 random bytes of a store filled 256 at a time: one by one they cost 4 % of the verification path's CPU. */
function entropy(): Uint8Array {
  if (spent === ENTROPY.length) {
    randomFillSync(ENTROPY)
    spent = 0
  }
  spent += 16
  return ENTROPY.subarray(spent - 16, spent)
}

/** A UUIDv7 in lower case: ordered by time, so that new rows land at the end of an index. */
export const newId = (): string => v7({ random: entropy() })

/** `req_` + 32 hex digits, ordered by time. */
export const newRequestId = (): string => `req_${newId().replaceAll('-', '')}`

/** `length` random digits of base 62, each equally likely. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < 248 && text.length < length) text += BASE62.charAt(byte % 62)
    }
  }
  return text
}

/** CRC-32 (IEEE) of the ASCII text as 6 digits of base 62. */
export function checksum62(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < 6; i++) {
    digits = BASE62.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

export const newSitekey = (): string => `tg_site_${randomBase62(20)}`

/** A new secret key of 256 random bits, with a checksum that detects typing errors without the database. */
export function newSecretKey(): string {
  const body = `tg_secret_${randomBase62(43)}`
  return body + checksum62(body)
}

export const isSitekey = (text: string): boolean => /^tg_site_[0-9A-Za-z]{20}$/.test(text)

const SECRET_KEY = /^tg_secret_[0-9A-Za-z]{49}$/

/** Whether the text has a secret key's form and its checksum is right. */
export const isSecretKey = (text: string): boolean =>
  SECRET_KEY.test(text) && checksum62(text.slice(0, -6)) === text.slice(-6)

/** A decision's id follows from its intent's: `dec_` + the UUID's 32 hex digits. */
export const decisionId = (intentId: string): string => `dec_${intentId.replaceAll('-', '')}`

/** The intent's UUID from a decision id, or undefined if the id is not valid. */
export function intentOfDecision(id: string): string | undefined {
  const hex = /^dec_([0-9a-f]{32})$/.exec(id)?.[1]
  return hex === undefined ? undefined : hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

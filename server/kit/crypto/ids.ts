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

/**
 * A UUIDv7 in lower case: ordered by time, so that new rows land at the end of an index. `at`: its time in milliseconds, of the
 * database's clock where old rows are found by their ids.
 */
export const newId = (at = Date.now()): string => v7({ random: entropy(), msecs: Math.floor(at) })

/** The milliseconds since the epoch at which a UUIDv7 was made. */
export const timeOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

const REQUEST = Buffer.alloc(16)

/** The id of a request, as in X-Request-Id: `req_` and the 32 hex digits of a UUIDv7. `at`: as in `newId`. */
export const newRequestId = (at = Date.now()): string =>
  `req_${v7({ random: entropy(), msecs: Math.floor(at) }, REQUEST).toString('hex')}`

/** 16 random bytes. */
export const randomSeed = (): Buffer => Buffer.from(entropy())

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

/** No id is less. */
export const LEAST_ID = '00000000-0000-0000-0000-000000000000'

/**
 * SQL for the least UUIDv7 of a time: ids are ordered by time, so the primary key finds old rows. Ids are made by nodes, so
 * what is deleted is old by its own column as well.
 */
export const firstIdOf = (moment: string): string =>
  `(lpad(to_hex((extract(epoch from ${moment}) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid`

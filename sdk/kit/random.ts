import { createHash, createHmac } from 'node:crypto'
import { expect } from './check.ts'
import { findPiece, piecesOf } from './pieces.ts'

/** A random value that a merchant has drawn, and what else it had at that moment. */
export type Drawn = { value: string; others: readonly string[]; at: number }

/** Fewer values say nothing about chance. */
const FEWEST = 8
/** Bits by which values must differ; values of 128 random bits are measured at 90 to 130. */
const LEAST_BITS = 64
/** Derived values are derived each time: looking at some is enough. */
const LOOKED_AT = 4
const MARKED = 12
const HASHES = ['md5', 'sha1', 'sha256', 'sha384', 'sha512']
/** Of the versions that are made of a time, or are a hash. */
const COMPUTED_UUID = /^[\da-f]{8}-[\da-f]{4}-[1356][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i
const JOINTS = ['', ':', '-', '.', '|', '/', '_', ' ', ',']

/**
 * @throws Failed if a value is made of others, of the time or of a counter, or if the values differ too little from each
 * other to be random. A value that is computed with a secret that only the merchant knows looks random.
 */
export function expectRandom(name: string, drawn: readonly Drawn[]): void {
  for (const { value, others } of drawn.slice(-LOOKED_AT)) {
    const found = findPiece(value, piecesOf(others.map((other) => [other, other] as const)))
    expect(found === undefined, `${name} has a part of another value of the attempt in it`)
    expect(!isDerived(value, others), `${name} is a hash or HMAC of other values of the attempt`)
  }
  const last = drawn.at(-1)
  const isTimed = last !== undefined && isDerived(last.value, momentsBefore(last.at), true)
  expect(!isTimed, `${name} is a hash of the time or of a counter`)
  const values = [...new Set(drawn.map(({ value }) => value))]
  // 32 random hex digits have six or fewer distinct ones with a probability of 10^-11
  for (const value of values) expect(new Set(value).size > 6, `${name} does not look random: it repeats few characters`)
  const isComputed = values.length > 0 && values.every((value) => COMPUTED_UUID.test(value))
  expect(!isComputed, `${name} is a UUID of a version that is computed, not drawn: use version 4`)
  if (values.length < FEWEST) return
  const bits = Math.round(differingBits(values))
  expect(bits >= LEAST_BITS, `${name} can be predicted: ${values.length} of them differ by ${bits} bits only`)
}

/** How many bits a guess needs, place by place: as often as two values have the same character there. */
function differingBits(values: readonly string[]): number {
  const pairs = (values.length * (values.length - 1)) / 2
  let bits = 0
  for (let place = 0; place < Math.max(...values.map(({ length }) => length)); place++) {
    const counts = new Map<string | undefined, number>()
    for (const value of values) counts.set(value[place], (counts.get(value[place]) ?? 0) + 1)
    const same = [...counts.values()].reduce((sum, n) => sum + (n * (n - 1)) / 2, 0)
    bits += Math.log2((pairs + 1) / (same + 1))
  }
  return bits
}

function isDerived(value: string, others: readonly string[], isSimple = false): boolean {
  const whole = plain(value)
  if (whole.length < MARKED) return false
  const isOf = (digest: Buffer) =>
    (['hex', 'base64', 'base64url'] as const).some((form) => {
      const text = digest.toString(form)
      return whole.includes(text.slice(0, MARKED)) || text.includes(whole.slice(0, MARKED))
    })
  for (const hash of isSimple ? HASHES.slice(0, 3) : HASHES)
    for (const one of others) {
      if (isOf(createHash(hash).update(one).digest())) return true
      if (isSimple) continue
      for (const other of others) {
        if (isOf(createHmac(hash, one).update(other).digest())) return true
        for (const joint of one === other ? [] : JOINTS)
          if (
            isOf(
              createHash(hash)
                .update(one + joint + other)
                .digest(),
            )
          )
            return true
      }
    }
  return false
}

/** Hexadecimal digits without the dashes of a UUID, in lower case; other texts as they are. */
const plain = (text: string): string => (/^[\da-f-]+$/i.test(text) ? text.toLowerCase().replaceAll('-', '') : text)

/** Times as texts, in seconds and milliseconds, up to 3 seconds before; and small numbers. */
function momentsBefore(at: number): string[] {
  const ms = Array.from({ length: 3_000 }, (_, back) => String(at - back))
  const seconds = Array.from({ length: 4 }, (_, back) => String(Math.floor(at / 1000) - back))
  return [...ms, ...seconds, ...Array.from({ length: 1_000 }, (_, count) => String(count))]
}

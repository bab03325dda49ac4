import { AppError } from '../../kit/error.ts'

/** Reasons of `contract/reasons.ts`. */
export type Weakness = 'password-common' | 'password-repeats' | 'password-sequence' | 'password-names'

const PRODUCT = 'tollgate'

/** A shorter part of an address is part of too many words. */
const SHORTEST_NAME = 4

/** Characters such as `2024!` that do not make a common password a different one. */
const DECORATION = 6

/** Neighbours in a row, in either direction, are a sequence. */
const ROWS = [
  '0123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'azertyuiop',
]

const NEIGHBOURS = new Set(
  ROWS.flatMap((row) =>
    Array.from(row, (one, i) => one + (row[i + 1] ?? row[0])).flatMap((pair) => [pair, pair[1] + pair.slice(0, 1)]),
  ),
)

/** At most one in four steps leaves the row. */
function isSequence(characters: string[]): boolean {
  const steps = characters.slice(1).map((next, i) => `${characters[i]}${next}`)
  return steps.filter((step) => !NEIGHBOURS.has(step)).length * 4 <= steps.length
}

let common: Promise<ReadonlySet<string>> | undefined

/** 49,000 passwords, the most common first. Loaded on first use: it takes 20 ms, and few processes check passwords. */
const commonPasswords = (): Promise<ReadonlySet<string>> =>
  (common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].filter((word) => word.length >= SHORTEST_NAME)),
  ))

/** The password in lower case, and what is left of it without the digits and signs around it, if these are few. */
function* coresOf(text: string): Generator<string> {
  yield text
  const core = text.replace(/^[^\p{L}]+/u, '').replace(/[^\p{L}]+$/u, '')
  if (text.length - core.length <= DECORATION) yield core
}

/** Why an attacker would guess the password soon; undefined if nothing is known against it. `email`: of the person. */
export async function weaknessOf(password: string, email: string): Promise<Weakness | undefined> {
  const text = password.normalize('NFKC').toLowerCase()
  const characters = Array.from(text)
  const list = await commonPasswords()
  for (const core of coresOf(text)) if (list.has(core)) return 'password-common'
  if (new Set(characters).size <= 3) return 'password-repeats'
  if (isSequence(characters)) return 'password-sequence'
  const name = email.slice(0, email.indexOf('@')).toLowerCase()
  if ((name.length >= SHORTEST_NAME && text.includes(name)) || text.includes(PRODUCT)) return 'password-names'
  return undefined
}

/** Throws AppError if the password is weak. */
export async function refuseWeak(password: string, email: string): Promise<void> {
  const weakness = await weaknessOf(password, email)
  if (weakness !== undefined) throw new AppError(weakness)
}

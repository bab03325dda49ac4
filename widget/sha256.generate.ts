/**
 * Writes sha256.rounds.ts: `npx tsx widget/sha256.generate.ts`. sha256.test.ts holds the two together.
 *
 * Why the rounds are written out: with every message word and register a local variable, an optimising compiler turns
 * the moves between registers into names and keeps the values in the machine's. As a loop the same work runs at less
 * than half the speed; with the functions of SHA-256 as real calls, at a fifth (engines stop inlining long before
 * round 64). Every round reads the same, letter by letter, so the file compresses to next to nothing.
 *
 * Why so few terms: 16 bytes of seed, index and nonce fit one block, and word 5 alone is the nonce. Rounds 0–5, the
 * words 16–19 and the nonce-free part of the words 20–35 are the table that sha256.ts prepares once for each puzzle.
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Round constants 20–63; the earlier ones are part of the table. */
const CONSTANTS = [
  0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3,
  0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb,
  0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585,
  0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]
const REGISTERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
const FIRST_ROUND = 6
const FIRST_WORD = 20
const NONCE_WORD = 5
/** The digest's first word is register a + 0x6a09e667; the flipped sign lets a signed comparison judge it. */
const LAST_CONSTANT_EXTRA = 0x6a09e667 + 0x80000000

/** The whole text of sha256.rounds.ts. */
export function generateRounds(): string {
  return `${[
    '// Written by sha256.generate.ts, which says why it looks like this. Change that file, not this one.',
    '',
    '/**',
    ' * First nonce of `start … start + tries − 1` (uint32, wrapping) whose digest word, sign flipped, is below `goal`;',
    ' * −1 if there is none. `table` is what prepareTable() of sha256.ts gives; `tries` is at least 1.',
    ' */',
    'export function searchRounds(table: Int32Array, goal: number, start: number, tries: number): number {',
    '  const at = (position: number): number => (table[position] ?? 0) | 0',
    ...tableNames().map((name, position) => `  const ${name} = at(${position})`),
    '  let n = start | 0',
    '  let left = tries | 0',
    '  do {',
    ...body().map((line) => `    ${line}`),
    '    if (a < goal) return n >>> 0',
    '    n = (n + 1) | 0',
    '    left = (left - 1) | 0',
    '  } while (left !== 0)',
    '  return -1',
    '}',
  ].join('\n')}\n`
}

/** k6–k19: constant + word. c20–c35: nonce-free part of the word. s0–s7: registers after round 5 with nonce 0. */
function tableNames(): string[] {
  return [...range(FIRST_ROUND, FIRST_WORD, 'k'), ...range(FIRST_WORD, 36, 'c'), ...range(0, 8, 's')]
}

function body(): string[] {
  const lines = REGISTERS.map((name, i) => {
    const withNonce = name === 'a' || name === 'e'
    return `let ${name} = ${withNonce ? `(s${i} + n) | 0` : `s${i}`}`
  })
  lines.push('let bc = b ^ c', 'let ab = 0', 'let x = 0', 'let y = 0')
  for (let round = FIRST_ROUND; round < 64; round++) {
    if (round < FIRST_WORD) lines.push(...roundLines(`k${round}`))
    else lines.push(...wordLines(round), ...roundLines(`${word(round)} + ${constant(round)}`))
  }
  return lines
}

/** Word t = σ1(t−2) + (t−7) + σ0(t−15) + (t−16), as far as these depend on the nonce. */
function wordLines(t: number): string[] {
  const lines: string[] = []
  const sum: string[] = []
  if (dependsOnNonce(t - 2)) {
    lines.push(`x = ${rotate(word(t - 2), 17)} ^ ${rotate(word(t - 2), 19)} ^ (${word(t - 2)} >>> 10)`)
    sum.push('x')
  }
  if (dependsOnNonce(t - 15)) {
    lines.push(`y = ${rotate(word(t - 15), 7)} ^ ${rotate(word(t - 15), 18)} ^ (${word(t - 15)} >>> 3)`)
    sum.push('y')
  }
  if (dependsOnNonce(t - 7)) sum.push(word(t - 7))
  if (dependsOnNonce(t - 16)) sum.push(word(t - 16))
  if (t < 36) sum.push(`c${t}`)
  const declare = t < FIRST_WORD + 16 ? 'let ' : ''
  return [...lines, `${declare}${word(t)} = (${sum.join(' + ')}) | 0`]
}

/** maj(a, b, c) is ((a ^ b) & (b ^ c)) ^ b, and its b ^ c is the a ^ b of the round before. */
function roundLines(addend: string): string[] {
  return [
    `x = ${rotate('e', 6)} ^ ${rotate('e', 11)} ^ ${rotate('e', 25)}`,
    `x = (h + ${addend} + (((f ^ g) & e) ^ g) + x) | 0`,
    'h = g',
    'g = f',
    'f = e',
    'e = (d + x) | 0',
    'd = c',
    'c = b',
    'ab = a ^ b',
    `y = ${rotate('a', 2)} ^ ${rotate('a', 13)} ^ ${rotate('a', 22)}`,
    'x = (x + y + ((ab & bc) ^ b)) | 0',
    'bc = ab',
    'b = a',
    'a = x',
  ]
}

/** The variable of message word t: 16 of them, used in turn. */
function word(t: number): string {
  return t === NONCE_WORD ? 'n' : `w${t % 16}`
}

function dependsOnNonce(t: number): boolean {
  return t === NONCE_WORD || t >= FIRST_WORD
}

function constant(round: number): number {
  const value = CONSTANTS[round - FIRST_WORD] ?? 0
  return (round === 63 ? value + LAST_CONSTANT_EXTRA : value) >>> 0
}

function rotate(name: string, by: number): string {
  return `((${name} >>> ${by}) | (${name} << ${32 - by}))`
}

function range(from: number, to: number, prefix: string): string[] {
  return Array.from({ length: to - from }, (_, i) => `${prefix}${from + i}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('sha256.rounds.ts', import.meta.url), generateRounds())
}

/**
 * Writes the search for a nonce, in JavaScript or in AssemblyScript for either kind of WebAssembly.
 *
 * The rounds are unrolled. With every message word and register in a local variable, an optimizing compiler removes the
 * moves between variables and keeps the values in machine registers. A loop runs at less than half the speed; calls of
 * SHA-256's functions run at a fifth, because engines stop inlining long before round 64.
 *
 * Words and registers are moved between variables instead of being renamed in each round, so that all rounds are the same
 * text, and in WebAssembly the same bytes: 18 kB compress to 600 bytes. The moves cost nothing.
 *
 * The seed (16 bytes), index and nonce fit in one block, in which only word 5 is the nonce. Everything that does not depend
 * on it comes from the table (table.ts).
 */

import { FIRST_ROUND, FIRST_WORD, NONCE_WORD, TABLE } from '../solver/table.ts'
import type { Dialect } from './dialects.ts'

const REGISTERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
/** The window of the message schedule: w0 is the word of 16 rounds ago, w15 that of the round before. */
const WINDOW = Array.from({ length: 16 }, (_, age) => `w${age}`)

/**
 * `search(…, start, tries)`: how far after `start` the first nonce is, among the uint32 `start … start + tries − 1`
 * (wrapping), that solves the table's puzzle; −1 if there is none. `tries` is a multiple of the dialect's lanes.
 */
export function writeSearch(dialect: Dialect): string {
  const { add, declare, table, next } = dialect
  const registers = REGISTERS.map((name, i) => {
    const value = table(TABLE.registers + i)
    return declare(name, name === 'a' || name === 'e' ? add('n', value) : value)
  })
  return dialect.program(
    [...WINDOW, 'x'].map((name) => declare(name)),
    [...registers, `w${NONCE_WORD - (FIRST_WORD - 16)} = n`, ...rounds(dialect), next],
  )
}

function rounds(dialect: Dialect): string[] {
  const lines: string[] = []
  for (let round = FIRST_ROUND; round < 64; round++) {
    const constant = dialect.constant(round)
    if (round >= FIRST_WORD) lines.push(`x = ${word(round, dialect)}`, ...shiftWindow(round))
    lines.push(...roundLines(round < FIRST_WORD ? constant : dialect.add('x', constant), dialect))
    if (dialect.step) lines.push(dialect.step)
  }
  return lines
}

/** Word t = σ1(t−2) + σ0(t−15) + (t−7) + (t−16), as far as these depend on the nonce. */
function word(t: number, { add, xor, rotate, shift, table }: Dialect): string {
  const sum: string[] = []
  if (dependsOnNonce(t - 2)) sum.push(xor(xor(rotate('w14', 17), rotate('w14', 19)), shift('w14', 10)))
  if (dependsOnNonce(t - 15)) sum.push(xor(xor(rotate('w1', 7), rotate('w1', 18)), shift('w1', 3)))
  if (t >= 36) return add(sum.reduce(add), add('w9', 'w0'))
  if (dependsOnNonce(t - 7)) sum.push('w9')
  if (dependsOnNonce(t - 16)) sum.push('w0')
  return [...sum, table(TABLE.words + t - FIRST_WORD, t)].reduce(add)
}

function shiftWindow(t: number): string[] {
  const moves = WINDOW.slice(1).map((name, age) => ({ line: `w${age} = ${name}`, from: t - 15 + age }))
  return [...moves.filter(({ from }) => dependsOnNonce(from)).map(({ line }) => line), 'w15 = x']
}

/**
 * The order of operands is measured: engines keep much of it, and what is read early occupies a register for long, so
 * the newest value comes first. maj(a, b, c) is ((a ^ b) & (b ^ c)) ^ b, whose b ^ c is the a ^ b of the round before.
 */
function roundLines(addend: string, { add, xor, and, rotate, choose }: Dialect): string[] {
  const sum1 = xor(xor(rotate('e', 6), rotate('e', 11)), rotate('e', 25))
  const sum0 = xor(xor(rotate('a', 2), rotate('a', 13)), rotate('a', 22))
  const majority = xor(and(xor('a', 'b'), xor('b', 'c')), 'b')
  return [
    `x = ${add(add('h', addend), add(sum1, choose('e', 'f', 'g')))}`,
    'h = g',
    'g = f',
    'f = e',
    `e = ${add('x', 'd')}`,
    `x = ${add('x', add(sum0, majority))}`,
    'd = c',
    'c = b',
    'b = a',
    'a = x',
  ]
}

function dependsOnNonce(t: number): boolean {
  return t === NONCE_WORD || t >= FIRST_WORD
}

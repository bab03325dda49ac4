import { expect, test } from 'vitest'
import { findPiece, maskValues, piecesOf } from './pieces.ts'

const VALUE = 'tgr_Qx7/kW+2mZ"9vLpA4sTd8RyNcE1hUo'
const PIECES = piecesOf([[VALUE, VALUE]])
const PART = VALUE.slice(5, 25)

test.each([
  ['as it is', PART],
  ['in hexadecimal', Buffer.from(PART).toString('hex')],
  ['in hexadecimal, in capitals', Buffer.from(PART).toString('hex').toUpperCase()],
  ['in Base64', Buffer.from(VALUE).toString('base64')],
  ['in Base64 after one character', Buffer.from(`x${VALUE}`).toString('base64')],
  ['in Base64 after two', Buffer.from(`xy${VALUE} and more`).toString('base64')],
  ['in the Base64 of addresses', Buffer.from(`xyz${VALUE}`).toString('base64url')],
  ['encoded for a URL', encodeURIComponent(PART)],
  ['in JSON', JSON.stringify({ text: PART })],
  ['in JSON as PHP writes it', JSON.stringify({ text: PART }).replaceAll('/', '\\/')],
])('12 characters of a value are found: %s', (_, text) => {
  expect(findPiece(`request ${text} ended`, PIECES)).toBeDefined()
})

test('a URL-encoded cookie is found decoded', () => {
  const cookie = encodeURIComponent('s:abcdef/ghijklmnop')
  expect(findPiece('session s:abcdef/ghijk', piecesOf([[cookie, 1]]))).toMatchObject({ at: 8 })
})

test('less than 12 characters, and what values of several owners or known texts have in common, are not found', () => {
  expect(findPiece(VALUE.slice(5, 16), PIECES)).toBeUndefined()
  const values = [
    ['eyJsYW5nIjoiZW4i.AAAA', 'one'],
    ['eyJsYW5nIjoiZW4i.BBBB', 'other'],
  ] as const
  expect(findPiece('eyJsYW5nIjoiZW4i', piecesOf(values))).toBeUndefined()
  expect(findPiece('eyJsYW5nIjoiZW4i', piecesOf(values.map(([value]) => [value, 'one'])))).toBeDefined()
  const secret = [['tg_secret_TESTpass000000000001abc', 1]] as const
  expect(findPiece('tg_site_TESTpass0000000', piecesOf(secret, ['tg_site_TESTpass0000000']))).toBeUndefined()
  expect(findPiece('00000001abc', piecesOf(secret))).toBeUndefined()
})

test('values are masked, parts of them too', () => {
  expect(maskValues(`a ${VALUE} b ${PART} c`, [VALUE])).toBe('a … b … c')
  expect(maskValues('nothing', [VALUE])).toBe('nothing')
})

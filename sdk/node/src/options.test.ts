import { afterEach, describe, expect, test, vi } from 'vitest'
import { readVectors } from '../../testing/vectors.ts'
import { Tollgate } from './client.ts'
import { renderScript } from './render.ts'
import { testKeys } from './testKeys.ts'

const complete = { url: 'https://tollgate.example', ...testKeys.pass }

/** Creates a client with any options, as untyped JavaScript could. */
const make = (changes: Record<string, unknown>) => new Tollgate({ ...complete, ...changes })

/** The message with which it refuses. */
function refusal(changes: Record<string, unknown>): string {
  try {
    make(changes)
  } catch (error) {
    if (error instanceof TypeError) return `${error.message} ${error.stack}`
    throw error
  }
  throw new Error('it was accepted')
}

describe('the keys', () => {
  const { accept, refuse } = readVectors('secrets')

  test.each(accept)('$name', ({ sitekey, secret }) => {
    expect(make({ sitekey, secret })).toBeInstanceOf(Tollgate)
  })

  test.each(refuse)('$name: refused without repeating it in the message', ({ sitekey, secret, says }) => {
    const message = refusal({ sitekey, secret })
    expect(message.toLowerCase()).toContain(says)
    expect(message).not.toMatch(/tg_(secret|site)_[0-9A-Za-z]{4}/)
  })

  const { sitekey, secret_key } = readVectors('grammars')
  test.each([
    ['sitekey', sitekey],
    ['secret', secret_key],
  ] as const)('%s has its grammar', (option, grammar) => {
    for (const value of grammar?.accept ?? []) expect(make({ [option]: value })).toBeInstanceOf(Tollgate)
    for (const value of grammar?.refuse ?? []) expect(refusal({ [option]: value })).toContain(`\`${option}\``)
  })
})

describe('the address', () => {
  const { accept, insecure, refuse } = readVectors('urls')

  test.each(accept)('$url', ({ url, base }) => {
    expect(make({ url })).toBeInstanceOf(Tollgate)
    expect(renderScript({ url })).toContain(`"${base}/widget.js"`)
  })

  test.each(insecure)('%s only with allowInsecure', (url) => {
    expect(refusal({ url })).toContain('allowInsecure')
    expect(make({ url, allowInsecure: true })).toBeInstanceOf(Tollgate)
  })

  test.each(refuse.map((url) => [url]))('refuses %j', (url) => {
    expect(refusal({ url, allowInsecure: true })).toContain('`url`')
  })
})

test.each([
  ['timeout', 0],
  ['timeout', -1],
  ['timeout', '5000'],
  ['timeout', Number.NaN],
  ['deadline', Number.POSITIVE_INFINITY],
  ['deadline', 2 ** 31],
  ['deadline', null],
  ['allowInsecure', 'false'],
])('%s of %j is refused', (option, value) => {
  expect(refusal({ [option]: value })).toContain(`\`${option}\``)
})

test('without any options, reports the first missing one', () => {
  expect(() => new Tollgate(undefined as never)).toThrow('`url`')
})

describe('in a browser', () => {
  afterEach(() => vi.unstubAllGlobals())

  test('refuses to create a client', () => {
    vi.stubGlobal('window', {})
    vi.stubGlobal('document', {})
    expect(refusal({})).toContain('not into a browser')
  })
})

import { expect, test } from 'vitest'
import { expectSentence } from '../../test/support/sentence.ts'
import { ERRORS } from './mistakes/errors.ts'
import { isReason, REASONS, type Reason, sentenceOf, type Values } from './reasons.ts'

/** A value for each name that a sentence asks for. */
const values = new Proxy<Record<string, string>>(
  { role: 'viewer', permission: 'site.write' },
  {
    get: (given, name) => given[String(name)] ?? '7',
  },
)

test.each(Object.keys(REASONS) as Reason[])('%s has a sentence, complete with its values', (reason) => {
  const message = sentenceOf(reason, values as Values<typeof reason>)
  expectSentence({ reason, message })
  expect(message).not.toMatch(/undefined|null|\[object|\$\{/)
})

test('the console and the public API share no code but the three that mean the same in both', () => {
  expect(Object.keys(ERRORS).filter(isReason)).toEqual(['unauthorized', 'internal-error', 'unavailable'])
})

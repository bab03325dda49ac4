import { expect, test } from 'vitest'
import { decisionId, intentOfDecision, isUuid, requestId } from './ids.ts'

const ID = '018f4e6a-7b2c-7d3e-8f40-112233445566'

test('a decision id leads back to its intent', () => {
  expect(intentOfDecision(decisionId(ID))).toBe(ID)
  for (const wrong of ['dec_', `dec_${'g'.repeat(32)}`, `${decisionId(ID)}0`, ID])
    expect(intentOfDecision(wrong)).toBeUndefined()
})

test('a request id is the UUID without hyphens', () => {
  expect(requestId(ID)).toBe('req_018f4e6a7b2c7d3e8f40112233445566')
})

test('a UUID is recognised in upper and lower case, and only a whole one', () => {
  for (const id of [ID, ID.toUpperCase()]) expect(isUuid(id)).toBe(true)
  for (const wrong of ['', `${ID}\n`, `${ID}0`, ID.replaceAll('-', ''), `{${ID}}`]) expect(isUuid(wrong)).toBe(false)
})

import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../server/contract/sitePolicy.ts'
import { levelOf, levelOptions } from './levels.ts'

test('a new site is standard, and what no level has is custom', () => {
  expect(levelOf(DEFAULT_POLICY)).toBe('standard')
  expect(levelOf({ ...DEFAULT_POLICY, baseWork: 4_194_304 })).toBe('strict')
  expect(levelOf({ ...DEFAULT_POLICY, baseWork: 5000 })).toBe('custom')
  expect(levelOf({ ...DEFAULT_POLICY, workMode: 'attack' })).toBe('custom')
})

test('each level says what it costs a visitor and a bot, and custom is offered only where it is set', () => {
  const { easy, standard, strict, custom } = levelOptions(DEFAULT_POLICY)
  expect(easy.hint).toContain('0.5 s on a slow phone')
  expect(standard.hint).toContain('2.1 s on a slow phone, 0.5 s on a current phone')
  expect(strict.hint).toMatch(/8\.4 s on a slow phone/)
  expect(custom).toBeUndefined()
  expect(levelOptions({ ...DEFAULT_POLICY, workMode: 'fixed' }).custom.label).toBe('Custom')
})

test('the price of a level is that of the cheapest way for the kind of challenge', () => {
  const pricesOf = (challengeKind: 'sha256' | 'auto' | 'hashwx') => {
    const { easy, standard, strict } = levelOptions({ ...DEFAULT_POLICY, challengeKind })
    return [easy, standard, strict].map(({ hint }) => /cost a bot (.*), and more when raised/.exec(hint)?.[1])
  }
  expect(pricesOf('sha256')).toEqual(['$0.001', '$0.0041', '$0.016'])
  // a strict level's SHA-256 is limited by the maximum, so that it is cheaper than HashWX
  expect(pricesOf('hashwx')).toEqual(['$0.008', '$0.032', '$0.074'])
  expect(pricesOf('auto')[1]).toBe('$0.0041 to $0.032')
})

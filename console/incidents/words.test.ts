import { expect, test } from 'vitest'
import { ATTACK_WAIT, attackEffectOf, causeOf, durationOf, effectOf, honestWaitOf, trafficOf } from './words.ts'

test('the effect of attack mode is a sentence with both shares', () => {
  expect(attackEffectOf({ slow: 0.62, refused: 0 })).toBe(
    '62% of last week’s challenges would have taken longer than 15 s, and 0% would have been refused.',
  )
})

test('without visitors there is no share', () => {
  expect(attackEffectOf(null)).toBe('No verifications last week to compare with.')
})

test('the traffic of an incident names raised challenges only if there were any', () => {
  expect(trafficOf({ completed: 1, raised: 0, refused: 300 })).toBe(
    'In this time: 300 requests refused, 1 verification completed.',
  )
  expect(trafficOf({ completed: 20, raised: 12, refused: null })).toBe(
    'In this time: an unknown number of requests refused, 20 verifications completed, 12 of them with a raised challenge.',
  )
})

test('visitors of a raised site wait for the minimum age, and those of a strict one do not', () => {
  const strict = { workFrom: 4_194_304, honestWork: 4_194_304 }
  expect(honestWaitOf(strict)).toBe('8.4 s on a slow phone, 2.1 s on a current phone')
  expect(honestWaitOf({ ...strict, workFrom: 1_048_576 })).toBe('8.4 s on a slow phone, 6.0 s on a current phone')
  expect(ATTACK_WAIT).toBe('13 s on a slow phone, 10 s on a current phone')
})

const open = {
  id: 'i',
  kind: 'refusals' as const,
  site: { id: 's', name: 'Shop' },
  startedAt: 1000,
  endedAt: null,
  peak: 80,
  usual: 0,
  action: null,
  hostname: 'new.example',
  cause: { endpoint: '/intents', code: 'bad-field', field: 'hostname' },
  why: 'The hostname is not one of the site’s hostnames.',
  networks: 0,
  workFrom: 1_048_576,
  workTo: 1_048_576,
  honestWork: 1_048_576,
  step: 60,
  points: [],
  phases: [{ name: 'during' as const, from: 0, to: 60, completed: 0, raised: 0, charged: 0, refused: 302 }],
  changes: [],
  shareToken: null,
}
const allowed = {
  id: 'c',
  action: 'hostname.add' as const,
  site: 's',
  siteName: 'Shop',
  at: 1000 + 44 * 60,
  hostname: 'new.example',
  by: 'Yuki Tanaka',
}

test('an incident of a host names it, and who allowed it if that was done', () => {
  expect(causeOf(open)).toBe('Your backend sent new.example, which was not allowed. 302 requests were refused so far.')
  expect(causeOf({ ...open, endedAt: 9000, changes: [{ ...allowed, hostname: 'other.example' }, allowed] })).toBe(
    'Your backend sent new.example, which was not allowed. Yuki Tanaka allowed it 44 min later. 302 requests were refused.',
  )
  expect(causeOf({ ...open, endedAt: 9000, changes: [{ ...allowed, by: null }] })).toContain('A member allowed it')
})

test('an incident of other refusals names the probable cause', () => {
  const forged = { endpoint: '/siteverify', code: 'response-invalid', field: null }
  expect(causeOf({ ...open, cause: forged, why: 'The token is forged.' })).toBe(
    'Most frequent: /siteverify response-invalid. The token is forged. 302 requests were refused so far.',
  )
})

const raised = { ...open, kind: 'work' as const, cause: null, why: null, networks: 7, workTo: 6_291_456, endedAt: 9000 }

test('an incident of raised challenges says for whom they were raised, and what the others waited', () => {
  expect(causeOf(raised)).toBe(
    'Visitors from 7 networks waited up to 10 s on a current phone instead of 0.5 s; other visitors waited as usual.',
  )
  expect(causeOf({ ...raised, honestWork: 4_194_304, endedAt: null })).toBe(
    'Visitors from 7 networks wait up to 10 s on a current phone instead of 0.5 s.',
  )
  expect(causeOf({ ...raised, honestWork: 4_194_304 })).toContain('other visitors waited 6.0 s on a current phone.')
  expect(causeOf({ ...raised, workTo: raised.workFrom })).toBe(
    'The traffic looked like an attack, but the policy does not raise the difficulty.',
  )
})

test('the notice of an incident says in one sentence what it means for visitors', () => {
  expect(effectOf(raised)).toBe(
    'Handled automatically, nothing to do: ordinary visitors still wait 0.5 s on a current phone.',
  )
  const pages = { endpoint: '/challenge', code: 'origin-not-allowed', field: null }
  expect(effectOf({ ...open, cause: pages })).toBe(
    'Handled automatically: ordinary visitors still wait 0.5 s on a current phone.',
  )
  expect(effectOf({ ...raised, honestWork: 6_291_456 })).toBe(
    'Ordinary visitors wait 13 s on a slow phone, 10 s on a current phone.',
  )
  expect(effectOf({ ...raised, networks: 0 })).toBe(
    'The policy does not raise the difficulty: ordinary visitors still wait 0.5 s on a current phone.',
  )
  expect(effectOf(open)).toBe('Your own servers make these calls: the fix is in your backend.')
})

test('an incident that is not over has lasted so far', () => {
  expect(durationOf({ startedAt: 1000, endedAt: null }, 1000 + 65 * 60)).toBe('1 h 5 min so far')
  expect(durationOf({ startedAt: 1000, endedAt: 1060 }, 9000)).toBe('1 min')
})

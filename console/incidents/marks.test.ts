import { expect, test } from 'vitest'
import { waitOf } from '../sites/solveTimes.ts'
import { marksAt, stepAt } from '../ui/chart/Marks.tsx'
import { marksOf } from './marks.ts'
import { titleOf } from './title.ts'
import { doneOf, refusalOf, summaryOf } from './words.ts'

const HOUR = 3600
const incident = { id: 'i', siteName: 'Shop', from: 2 * HOUR + 60, to: null }
const change = { id: 'c', site: 's', siteName: 'Shop', hostname: null, at: 2 * HOUR + 1800 }
const data = (marks: Parameters<typeof marksOf>[0]) => ({
  times: [HOUR, 2 * HOUR, 3 * HOUR],
  step: HOUR,
  series: [],
  marks: marksOf(marks),
})

test('changes and incidents are in the step of their time, with who made them if that is known', () => {
  const shown = data({
    incidents: [incident],
    changes: [
      { ...change, action: 'site.set_policy', by: 'Ada' },
      { ...change, id: 'k', action: 'secret.rotate', by: null, at: 3 * HOUR },
    ],
  })
  const textsAt = (index: number) => marksAt(shown, index).map(({ kind, text }) => `${kind}: ${text}`)
  expect(textsAt(0)).toEqual([])
  expect(textsAt(1)).toEqual(['incident: Incident, Shop', 'change: Policy changed by Ada, Shop'])
  expect(textsAt(2)).toEqual(['key: Secret key rotated, Shop'])
})

test('what began before the chart is in its first step, and what goes on in its last', () => {
  const shown = data({ incidents: [{ ...incident, from: 0 }], changes: [] })
  const [mark] = shown.marks
  expect([stepAt(shown, mark?.at ?? 0), stepAt(shown, mark?.to ?? 0)]).toEqual([0, 2])
})

const work = {
  id: 'i',
  kind: 'work' as const,
  site: { id: 's', name: 'Shop' },
  startedAt: 0,
  endedAt: null,
  peak: 0.6,
  usual: 0.02,
  action: 'login',
  hostname: null,
  cause: null,
  networks: 3,
  workFrom: 1_048_576,
  workTo: 4_194_304,
  honestWork: 1_048_576,
}

test('the title of an incident says its cause and where it was', () => {
  const titleWith = (code: string, field: string | null = null) =>
    titleOf({
      kind: 'refusals',
      site: { id: 's', name: 'Shop' },
      action: null,
      hostname: 'new.example',
      cause: { endpoint: '/siteverify', code, field },
    })
  expect(titleWith('response-invalid')).toBe('Forged tokens on Shop')
  expect(titleWith('unauthorized')).toBe('Invalid secrets on Shop')
  expect(titleWith('bad-field', 'hostname')).toBe('Hostname not allowed on Shop: new.example')
  expect(titleWith('origin-not-allowed')).toBe('Pages not allowed on Shop: new.example')
  expect(titleWith('bad-field', 'nonce')).toBe('Refused requests on Shop: bad-request nonce')
})

test('an incident is said in sentences', () => {
  expect(titleOf(work)).toBe('Unusual traffic on Shop: login')
  expect(summaryOf(work)).toBe('Up to 60% of the challenges were raised in 10 minutes. Usual at this time: 2%.')
  expect(doneOf(work)).toBe(
    'The difficulty was raised for 3 networks: they waited up to 6.0 s on a current phone instead of 0.5 s.',
  )
  expect(doneOf({ ...work, workTo: work.workFrom })).toBe('Nothing: the policy does not raise the difficulty.')
  expect(waitOf(work.honestWork)).toBe('2.1 s on a slow phone, 0.5 s on a current phone')
  const refusals = { ...work, kind: 'refusals' as const, peak: 80, usual: 3.4, networks: 0 }
  expect(summaryOf(refusals)).toBe('Up to 80 requests were refused in 10 minutes. Usual at this time: 3.')
  expect(doneOf(refusals)).toBe('The requests were refused. No difficulty was raised.')
  expect(titleOf({ ...refusals, site: { id: 's', name: null } })).toBe('Refused requests on a deleted site')
  expect(refusalOf({ endpoint: '/intents', code: 'bad-field', field: '*' })).toBe(
    '/intents bad-request (unknown field)',
  )
})

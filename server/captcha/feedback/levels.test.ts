import { expect, test } from 'vitest'
import { REPORT_RAISES_MS } from '../../contract/reports.ts'
import type { Mark } from '../../ledger/feedback/marks.ts'
import { FeedbackLevels } from './levels.ts'

const HOUR = 3_600_000
const hash = (text: string) => Buffer.from(text.padEnd(8, '.'))
const client = (network: string, subject: string | null = null) => ({
  network: hash(network),
  area: hash('area'),
  subject: subject === null ? null : hash(subject),
})
const mark = (decisionId: string, fields: Partial<Mark> = {}): Mark => ({
  decisionId,
  tenantId: 'a',
  network: hash('bad'),
  area: hash('area'),
  subject: hash('ada'),
  markedAt: 0,
  withdrawn: false,
  changedAt: 0,
  ...fields,
})
const marked = (...marks: Mark[]): FeedbackLevels => {
  const all = new FeedbackLevels({ mostOfTenant: 100, most: 1000 })
  for (const one of marks) all.put(one)
  return all
}
const doublings = (marks: FeedbackLevels, of: ReturnType<typeof client>, { tenant = 'a', now = 0 } = {}) =>
  marks.doublings(tenant, () => of, now)

test('a report doubles the difficulty for its network, and for its subject elsewhere, and both together twice', () => {
  const marks = marked(mark('1'))
  expect(doublings(marks, client('bad'))).toBe(1)
  expect(doublings(marks, client('other', 'ada'))).toBe(1)
  expect(doublings(marks, client('bad', 'ada'))).toBe(2)
  expect(doublings(marks, client('other', 'bob'))).toBe(0)
})

test('a report has no effect on the sites of another tenant, for whom nothing is hashed', () => {
  const marks = marked(mark('1'))
  expect(
    marks.doublings(
      'b',
      () => {
        throw new Error('hashed')
      },
      0,
    ),
  ).toBe(0)
})

test('the area of an abuser costs more only after several reports', () => {
  const marks = marked()
  const seen: number[] = []
  for (let i = 0; i < 16; i++) {
    marks.put(mark(String(i), { network: hash(`n${i}`), subject: null }))
    seen.push(doublings(marks, client('other')))
  }
  expect([seen[0], seen[1], seen[3], seen[10], seen[15]]).toEqual([0, 0, 1, 1, 2])
})

test('the effect decays: one report ends after four days, and several have to be recent', () => {
  expect(REPORT_RAISES_MS).toBe(4 * 24 * HOUR)
  expect(doublings(marked(mark('1')), client('bad'), { now: REPORT_RAISES_MS })).toBe(1)
  expect(doublings(marked(mark('1')), client('bad'), { now: REPORT_RAISES_MS + HOUR })).toBe(0)
  const three = marked(mark('1'), mark('2'), mark('3'))
  expect(doublings(three, client('bad'))).toBe(2)
  expect(doublings(three, client('bad'), { now: 24 * HOUR })).toBe(2)
  expect(doublings(three, client('bad'), { now: 48 * HOUR })).toBe(1)
  // in whichever order they are read
  const [old, young] = [mark('1', { markedAt: 0 }), mark('2', { markedAt: 96 * HOUR })]
  for (const marks of [marked(old, young), marked(young, old)])
    expect(doublings(marks, client('bad'), { now: 191 * HOUR })).toBe(1)
})

test('a withdrawn report ends at once, and reading a report again does not count it twice', () => {
  const marks = marked(mark('1'), mark('1'), mark('1'))
  expect(doublings(marks, client('bad'))).toBe(1)
  marks.put(mark('2'))
  expect(doublings(marks, client('bad'))).toBe(2)
  marks.put(mark('1', { withdrawn: true }))
  expect(doublings(marks, client('bad'))).toBe(1)
  marks.put(mark('2', { withdrawn: true }))
  expect([doublings(marks, client('bad', 'ada')), marks.size]).toEqual([0, 0])
})

test('an erased subject no longer costs more', () => {
  const marks = marked(mark('1'))
  marks.put(mark('1', { subject: null }))
  expect(doublings(marks, client('other', 'ada'))).toBe(0)
  expect(doublings(marks, client('bad', 'ada'))).toBe(1)
})

test('memory is bounded, for a tenant and for all; the oldest go first', () => {
  const marks = new FeedbackLevels({ mostOfTenant: 3, most: 5 })
  for (let i = 0; i < 4; i++) marks.put(mark(`a${i}`, { network: hash(`a${i}`), area: null, subject: null }))
  expect(marks.size).toBe(3)
  expect([0, 1].map((i) => doublings(marks, client(`a${i}`)))).toEqual([0, 1])
  for (let i = 0; i < 3; i++)
    marks.put(mark(`b${i}`, { tenantId: 'b', network: hash(`b${i}`), area: null, subject: null }))
  expect(marks.size).toBe(5)
  expect(doublings(marks, client('a1'))).toBe(0)
  marks.dropOlder(1)
  expect(marks.size).toBe(0)
})

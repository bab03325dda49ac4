import { expect, test } from 'vitest'
import { Admission } from './admission.ts'

type Served = { accepted: number; refused: number; waits: number[]; refusals: (number | undefined)[] }

/**
 * A server in virtual time that answers one request after the other, `perSecond` of them, each at least `latency` milliseconds
 * after it was accepted. `offered` per second, by second.
 */
function serve(perSecond: number, offered: number[], latency = 0): Served[] {
  let now = 0
  const refusals: (number | undefined)[] = []
  const admission = new Admission(
    (refused) => refusals.push(refused),
    () => now,
  )
  const waiting: number[] = []
  let credit = 0
  return offered.map((rate) => {
    const served: Served = { accepted: 0, refused: 0, waits: [], refusals: [] }
    let due = 0
    for (const end = now + 1000; now < end; now++) {
      credit = Math.min(credit + perSecond / 1000, waiting.length)
      for (let first = waiting[0]; credit >= 1 && first !== undefined && now - first >= latency; first = waiting[0]) {
        waiting.shift()
        credit -= 1
        served.waits.push(now - first)
        admission.leave(first, true)
      }
      for (due += rate / 1000; due >= 1; due -= 1) {
        const entered = admission.enter()
        if (entered === undefined) served.refused += 1
        else {
          served.accepted += 1
          waiting.push(entered)
        }
      }
    }
    served.refusals = refusals.splice(0)
    return served
  })
}

const seconds = (count: number, rate: number): number[] => Array.from({ length: count }, () => rate)
const highest = (values: number[]): number => values.reduce((most, value) => Math.max(most, value), 0)

test('under ten times the load, as much as before is answered, and in time; then all is as before', () => {
  const served = serve(3000, [...seconds(5, 2000), ...seconds(20, 30_000), ...seconds(10, 2000)])
  const [before, during, after] = [served.slice(0, 5), served.slice(6, 25), served.slice(27)]
  expect(before.map(({ refused }) => refused)).toEqual(seconds(5, 0))
  for (const { waits } of during) {
    expect(waits.length).toBeGreaterThan(0.9 * 3000)
    expect(highest(waits)).toBeLessThan(500)
  }
  expect(after.map(({ refused }) => refused)).toEqual(seconds(8, 0))
  const notes = served.flatMap(({ refusals }) => refusals)
  expect(notes).toEqual([undefined, served.reduce((sum, { refused }) => sum + refused, 0)])
})

test('a burst that the machine can answer in time is accepted', () => {
  const [first] = serve(5000, [900])
  expect(first?.refused).toBe(0)
})

test('a database in another region, whose commits take 150 ms, limits nothing', () => {
  const served = serve(5000, [...seconds(3, 500), ...seconds(10, 4000)], 150)
  expect(served.map(({ refused }) => refused)).toEqual(seconds(13, 0))
})

test('while nothing is answered only a few requests wait, and afterwards the machine is used fully again', () => {
  let now = 0
  const admission = new Admission(
    () => {},
    () => now,
  )
  const accepted: number[] = []
  for (; now < 3000; now++) {
    const entered = admission.enter()
    if (entered !== undefined) accepted.push(entered)
  }
  // what came before the stall was noticed
  expect(accepted.length).toBeLessThan(700)
  for (const entered of accepted) admission.leave(entered, true)
  let refused = 0
  for (; now < 8000; now++) {
    const entered = admission.enter()
    if (entered === undefined) refused += 1
    else admission.leave(entered, true)
  }
  expect(refused).toBe(0)
})

test('after a pause of the database, what has waited is answered, and nothing is refused', () => {
  let now = 0
  let refused = 0
  const admission = new Admission(
    () => {},
    () => now,
  )
  const waiting: number[] = []
  for (; now < 4000; now++) {
    // 1,500 requests a second, half of what can be answered
    for (let each = 0; each < (now % 2 === 0 ? 1 : 2); each++) {
      const entered = admission.enter()
      if (entered === undefined) refused += 1
      else waiting.push(entered)
    }
    const answers = now >= 2000 && now < 2300 ? 0 : 3
    for (let each = 0; each < answers; each++) {
      const entered = waiting.shift()
      if (entered !== undefined) admission.leave(entered, true)
    }
  }
  expect(refused).toBe(0)
})

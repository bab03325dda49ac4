import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Attempts } from '../../server/kit/limits/attempts.ts'

export const RULE = { name: 'answers', points: 10, duration: 300 }
let keys = 0
export const newKey = () => `key-${(keys += 1)}`
const many = <Out>(n: number, make: (i: number) => Promise<Out>) =>
  Promise.all(Array.from({ length: n }, (_, i) => make(i)))

/** What attempts promise, wherever they are counted. `nodes`: two that count together. */
export function describeAttempts(nodes: () => [Attempts, Attempts]): void {
  test('admits ten of fifty concurrent solutions and gives the others a time to wait', async () => {
    const key = newKey()
    const begun = await many(50, (i) => (nodes()[i % 2] as Attempts).begin(RULE, key, 0))
    expect(begun.filter(({ state }) => state === 'begun')).toHaveLength(10)
    const limited = begun.flatMap((each) => (each.state === 'limited' ? [each.retryAfter] : []))
    expect(limited).toHaveLength(40)
    for (const retryAfter of limited) {
      expect(retryAfter).toBeGreaterThan(200)
      expect(retryAfter).toBeLessThanOrEqual(300)
    }
  })

  test('a wrong solution ends its round on all nodes; later solutions of the round are not counted, and the next round starts immediately', async () => {
    const [one, two] = nodes()
    const key = newKey()
    expect(await one.round(RULE, key)).toBe(0)
    await one.begin(RULE, key, 0)
    await one.fail(RULE, key)
    for (let i = 0; i < 20; i++) expect(await two.begin(RULE, key, 0)).toEqual({ state: 'over' })
    expect(await two.round(RULE, key)).toBe(1)
    expect(await two.begin(RULE, key, 1)).toEqual({ state: 'begun' })
  })

  test('admits ten wrong solutions in total, each in its own round', async () => {
    const [one, two] = nodes()
    const key = newKey()
    for (let round = 0; round < 10; round++) {
      expect(await one.begin(RULE, key, round)).toEqual({ state: 'begun' })
      await one.fail(RULE, key)
    }
    expect((await two.begin(RULE, key, 10)).state).toBe('limited')
  })

  test('does not count correct solutions', async () => {
    const [one, two] = nodes()
    const key = newKey()
    for (let i = 0; i < 30; i++) {
      expect(await one.begin(RULE, key, 0)).toEqual({ state: 'begun' })
      await two.giveBack(RULE, key)
    }
    expect(await two.round(RULE, key)).toBe(0)
  })

  test('resets after its duration', async () => {
    const [one] = nodes()
    const key = newKey()
    const short = { name: 'short', points: 1, duration: 1 }
    await one.begin(short, key, 0)
    await one.fail(short, key)
    expect((await one.begin(short, key, 1)).state).toBe('limited')
    while ((await one.begin(short, key, 1)).state === 'limited') await sleep(50)
    expect(await one.round(short, key)).toBe(0)
  })
}

import { describe, expect, test } from 'vitest'
import { twoWorkers } from '../../../test/support/twoWorkers.ts'
import { createNodeBounds, type NodeBounds } from '../../kit/limits/nodeBounds.ts'

const RULE = { name: 'hash', running: 2, waiting: 2 }

function started() {
  const made = twoWorkers()
  const [one, two] = made.shared.map(({ bounds }) => bounds) as [NodeBounds, NodeBounds]
  return { ...made, one, two }
}

describe.each([
  [
    'one process',
    (): [NodeBounds, NodeBounds] => {
      const bounds = createNodeBounds()
      return [bounds, bounds]
    },
  ],
  [
    'two workers',
    (): [NodeBounds, NodeBounds] => {
      const { one, two } = started()
      return [one, two]
    },
  ],
])('of %s', (_, start) => {
  test('slots of a key are taken together, in the order of asking, and each key has its own', async () => {
    const [one, two] = start()
    const taken: string[] = []
    const take = (name: string, bounds: NodeBounds) =>
      bounds.takeSlot(RULE, 'a').then((got) => {
        if (got) taken.push(name)
        return got
      })
    expect(await take('first', one)).toBe(true)
    expect(await take('second', two)).toBe(true)
    const third = take('third', one)
    const fourth = take('fourth', two)
    expect(await take('fifth', two)).toBe(false)
    expect(await two.takeSlot(RULE, 'b')).toBe(true)
    expect(taken).toEqual(['first', 'second'])
    one.giveSlotBack(RULE, 'a')
    await third
    two.giveSlotBack(RULE, 'a')
    await fourth
    expect(taken).toEqual(['first', 'second', 'third', 'fourth'])
  })

  test('tokens of a key are taken together', async () => {
    const [one, two] = start()
    const pace = { name: 'calls', rate: 0.001, burst: 3 }
    const waits = await Promise.all([one, two, one, two, one].map(async (bounds) => bounds.takeToken(pace, 'a')))
    expect(waits.filter((wait) => wait === 0)).toHaveLength(3)
  })
})

test('the slots that a worker holds or waits for are freed when it ends', async () => {
  const { one, two, end } = started()
  expect(await one.takeSlot(RULE, 'a')).toBe(true)
  expect(await one.takeSlot(RULE, 'a')).toBe(true)
  void one.takeSlot(RULE, 'a')
  const waits = two.takeSlot(RULE, 'a')
  expect(await two.takeSlot(RULE, 'a')).toBe(false)
  end(0)
  expect(await waits).toBe(true)
  expect(await two.takeSlot(RULE, 'a')).toBe(true)
})

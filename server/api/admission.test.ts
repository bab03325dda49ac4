import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Admission } from './admission.ts'

const open = () => {
  const notes: (number | undefined)[] = []
  return { admission: new Admission((refused) => notes.push(refused)), notes }
}

/** Enters a number of requests; `admitted` has their numbers in the order in which they were. */
function enter(admission: Admission, count: number) {
  const admitted: number[] = []
  const refused: number[] = []
  const all = Array.from({ length: count }, async (_, i) => {
    if (await admission.enter()) admitted.push(i)
    else refused.push(i)
  })
  return { admitted, refused, all: Promise.all(all) }
}

const turns = async () => {
  for (let i = 0; i < 5; i++) await nextTurn()
}

test('400 are served at a time, and the others follow in their order as those are answered', async () => {
  const { admission } = open()
  const { admitted, refused, all } = enter(admission, 1400)
  await turns()
  expect(admitted).toEqual(Array.from({ length: 400 }, (_, i) => i))
  for (let i = 0; i < 1000; i++) {
    admission.leave()
    if (i % 100 === 99) await turns()
  }
  await all
  expect(admitted).toEqual(Array.from({ length: 1400 }, (_, i) => i))
  expect(refused).toEqual([])
})

test('requests that arrive in one turn are as many as those that are served and that wait', () => {
  const { admission } = open()
  enter(admission, 1399)
  expect(admission.isFull).toBe(false)
  enter(admission, 1)
  expect(admission.isFull).toBe(true)
})

test('it is full when 1,000 wait', async () => {
  const { admission } = open()
  enter(admission, 1399)
  await turns()
  expect(admission.isFull).toBe(false)
  enter(admission, 1)
  expect(admission.isFull).toBe(true)
  admission.leave()
  await turns()
  expect(admission.isFull).toBe(false)
})

test('a request that waits too long is refused though nothing is answered, and others are admitted afterwards', async () => {
  const { admission, notes } = open()
  const { admitted, refused, all } = enter(admission, 500)
  await all
  expect(admitted).toHaveLength(400)
  expect(refused).toEqual(Array.from({ length: 100 }, (_, i) => 400 + i))
  expect(notes[0]).toBeUndefined()
  for (const _ of admitted) admission.leave()
  expect(await admission.enter()).toBe(true)
  await expect.poll(() => notes, { timeout: 30_000 }).toEqual([undefined, 100])
})

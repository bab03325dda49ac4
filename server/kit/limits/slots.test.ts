import { expect, test } from 'vitest'
import { Slots } from './slots.ts'

/** A task that ends when the test ends it. */
function work() {
  let end: (error?: Error) => void = () => {}
  const ended = new Promise<string>((resolve, reject) => {
    end = (error) => (error ? reject(error) : resolve('done'))
  })
  let started = false
  return {
    end: (error?: Error) => end(error),
    started: () => started,
    run: () => {
      started = true
      return ended
    },
  }
}

test('so many run, so many wait, and all others are refused at once', async () => {
  const slots = new Slots({ running: 2, waiting: 3 })
  const works = Array.from({ length: 6 }, work)
  const results = works.map(({ run }) =>
    slots.run(run).catch((error: Error & { code?: string }) => error.code ?? error.message),
  )
  expect(works.map(({ started }) => started())).toEqual([true, true, false, false, false, false])
  expect(await results[5]).toBe('unavailable')

  // one that fails makes room as well
  works[1]?.end(new Error('failed'))
  expect(await results[1]).toBe('failed')
  expect(works.map(({ started }) => started())).toEqual([true, true, true, false, false, false])
  const late = work()
  const last = slots.run(late.run)
  for (const one of [...works, late]) one.end()
  expect(await Promise.all([...results, last])).toEqual([
    'done',
    'failed',
    'done',
    'done',
    'done',
    'unavailable',
    'done',
  ])
  expect(works[5]?.started()).toBe(false)

  const free = [work(), work()]
  for (const { run } of free) void slots.run(run)
  expect(free.map(({ started }) => started())).toEqual([true, true])
})

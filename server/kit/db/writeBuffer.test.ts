import { expect, test } from 'vitest'
import { AppError } from '../error.ts'
import { createLog } from '../process/log.ts'
import { WriteBuffer } from './writeBuffer.ts'

/** Writes into a list, or first fails with the errors in `faults`. */
function arrange(max = 100) {
  const written: string[][] = []
  const faults: unknown[] = []
  const lines: string[] = []
  const log = createLog('info', { write: (line: string) => void lines.push(line) })
  const buffer = new WriteBuffer<string>(
    {
      max,
      merge: (waiting, added) => `${waiting}+${added}`,
      write: async (items) => {
        const fault = faults.shift()
        if (fault !== undefined) throw fault
        written.push(items)
      },
    },
    log,
  )
  return { buffer, written, faults, lines }
}

test('writes items together, merged by key, without waiting', async () => {
  const { buffer, written } = arrange()
  buffer.add('a', '1')
  buffer.add('b', '2')
  buffer.add('a', '3')
  expect(written).toEqual([])
  await buffer.flush()
  expect(written).toEqual([['1+3', '2']])
  await buffer.flush()
  expect(written).toHaveLength(1)
})

test('writes without an explicit flush', async () => {
  const { buffer, written } = arrange()
  buffer.add('a', '1')
  await expect.poll(() => written, { timeout: 10_000 }).toEqual([['1']])
})

test('keeps a limited number of items while the database is unavailable and then writes them once', async () => {
  const { buffer, written, faults } = arrange(2)
  faults.push(new AppError('unavailable'), new AppError('unavailable'))
  buffer.add('a', '1')
  await buffer.flush()
  buffer.add('b', '2')
  buffer.add('c', '3')
  buffer.add('a', '4')
  await buffer.flush()
  expect(written).toEqual([])
  await buffer.flush()
  expect(written).toEqual([['1+4', '2']])
})

test('logs and drops items that the database rejects, and writes the next', async () => {
  const { buffer, written, faults, lines } = arrange()
  faults.push(new Error('invalid input'))
  buffer.add('a', '1')
  await buffer.flush()
  buffer.add('b', '2')
  await buffer.flush()
  expect(written).toEqual([['2']])
  expect(lines.join('')).toContain('were lost')
})

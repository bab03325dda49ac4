import { expect, onTestFinished, test, vi } from 'vitest'
import { boundedMap } from './boundedMap.ts'

test('above the maximum, the key that was not used for longest is dropped, however many come', () => {
  const evicted: string[] = []
  const map = boundedMap<number>({ max: 3, onEvict: (_, key) => evicted.push(key) })
  for (const [i, key] of ['a', 'b', 'c'].entries()) map.set(key, i)
  expect([map.get('a'), map.peek('b')]).toEqual([0, 1])
  map.set('d', 3)
  map.set('d', 4)
  map.delete('c')
  expect([evicted, [...map.keys()]]).toEqual([['b'], ['d', 'a']])
  for (let i = 0; i < 1000; i++) {
    map.set(`other ${i}`, i)
    map.get('a')
  }
  expect([map.size, map.get('a'), map.get('other 997'), map.get('other 999')]).toEqual([3, 0, undefined, 999])
})

test('a key ends after its own time or that of all, by the clock of the process', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const map = boundedMap<number>({ max: 10, ttl: 1000 })
  map.set('usual', 1)
  map.set('short', 2, { ttl: 400.5 })
  vi.advanceTimersByTime(400)
  expect([map.get('usual'), map.get('short'), map.getRemainingTTL('usual')]).toEqual([1, 2, 600])
  vi.advanceTimersByTime(1)
  expect([map.get('usual'), map.get('short')]).toEqual([1, undefined])
  vi.advanceTimersByTime(600)
  expect(map.get('usual')).toBeUndefined()
})

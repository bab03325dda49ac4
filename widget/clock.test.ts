import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const NOW = Date.parse('2030-01-01T00:00:00Z')

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
  vi.resetModules()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the clock', () => {
  it('goes on when the wall clock is set back', async () => {
    const { now } = await import('./clock.ts')
    vi.advanceTimersByTime(1_000)
    expect(now()).toBe(NOW + 1_000)
    vi.setSystemTime(NOW - 7_200_000)
    vi.advanceTimersByTime(1_000)
    expect(now()).toBe(NOW + 2_000)
  })

  it('counts the time in which the device slept', async () => {
    const { now } = await import('./clock.ts')
    vi.setSystemTime(NOW + 300_000)
    expect(now()).toBe(NOW + 300_000)
  })
})

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Call, Challenge, Client, Token } from './client.ts'
import { Failure } from './failure.ts'
import type { Session } from './session.ts'
import type { Solver } from './solver/solve.ts'
import { createVerification } from './verify.ts'

const challenge: Challenge = { challenge: 'sealed', seed: '00'.repeat(16), count: 1, target: 1 }

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})
afterEach(() => {
  vi.useRealTimers()
})

function arrange(client: Partial<Client> = {}, solve: Solver['solve'] = () => Promise.resolve(Uint32Array.of(5))) {
  const seen: Session['name'][] = []
  const token: Token = { response: 'tgr_x', until: 60_000 }
  const connect = (): Client => ({
    challenge: () => Promise.resolve(challenge),
    solve: () => Promise.resolve(token),
    ...client,
  })
  const verification = createVerification({ warm: () => undefined, solve }, connect, (now, before) => {
    if (now.name !== before.name) seen.push(now.name)
  })
  return { verification, seen }
}

const turns = () => vi.advanceTimersByTimeAsync(0)

describe('a verification', () => {
  it('sees itself through from start to token', async () => {
    const solve = vi.fn<Client['solve']>().mockResolvedValue({ response: 'tgr_y', until: 1000 })
    const { verification, seen } = arrange({ solve })
    verification.step({ type: 'start' })
    await turns()
    expect(seen).toEqual(['loading', 'solving', 'solved'])
    expect(solve).toHaveBeenCalledWith(challenge, Uint32Array.of(5), expect.anything())
  })

  it('expires at the end of the token, and not before', async () => {
    const { verification, seen } = arrange()
    verification.step({ type: 'start' })
    await vi.advanceTimersByTimeAsync(59_999)
    expect(seen.at(-1)).toBe('solved')
    await vi.advanceTimersByTimeAsync(1)
    expect(seen.at(-1)).toBe('expired')
  })

  it('finds out on waking that the token ended while timers stood still', async () => {
    const { verification } = arrange()
    verification.step({ type: 'start' })
    await turns()
    vi.setSystemTime(60_001)
    expect(verification.session().name).toBe('solved')
    verification.checkExpiry()
    expect(verification.session().name).toBe('expired')
  })

  it('solves a fresh challenge when the first one ran out', async () => {
    const solve = vi
      .fn<Client['solve']>()
      .mockRejectedValueOnce(new Failure('challenge-expired', 'req_1'))
      .mockResolvedValue({ response: 'tgr_x', until: 1000 })
    const { verification, seen } = arrange({ solve })
    verification.step({ type: 'start' })
    await turns()
    expect(seen).toEqual(['loading', 'solving', 'loading', 'solving', 'solved'])
  })

  it('cancels what is under way on reset, and hears nothing more of it', async () => {
    let signal: AbortSignal | undefined
    let finish: (nonces: Uint32Array) => void = () => undefined
    const { verification, seen } = arrange({}, (_puzzles, _onProgress, given) => {
      signal = given
      return new Promise((resolve) => {
        finish = resolve
      })
    })
    verification.step({ type: 'start' })
    await turns()
    verification.step({ type: 'reset' })
    expect(signal?.aborted).toBe(true)
    finish(Uint32Array.of(5))
    await turns()
    expect(seen).toEqual(['loading', 'solving', 'idle'])
  })

  it('does not mistake the late failure of a left run for its own', async () => {
    const calls: { call: Call; reject: (reason: unknown) => void }[] = []
    const pending = (call: Call) =>
      new Promise<Challenge>((_resolve, reject) => {
        calls.push({ call, reject })
      })
    const { verification } = arrange({ challenge: pending })
    verification.step({ type: 'start' })
    verification.step({ type: 'reset' })
    verification.step({ type: 'start' })
    calls[0]?.reject(new Failure('network'))
    await turns()
    expect(verification.session().name).toBe('loading')
    expect(calls.map(({ call }) => call.signal.aborted)).toEqual([true, false])
  })

  it('calls a browser that throws unsupported', async () => {
    const { verification } = arrange({}, () => Promise.reject(new ReferenceError('Uint32Array is not defined')))
    verification.step({ type: 'start' })
    await turns()
    expect(verification.session()).toMatchObject({ name: 'error', code: 'unsupported' })
  })
})

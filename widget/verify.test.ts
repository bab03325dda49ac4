import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Call, Challenge, Client, Token } from './client.ts'
import { Failure } from './failure.ts'
import type { Session } from './session.ts'
import type { Solver } from './solver/solve.ts'
import { createVerification } from './verify.ts'

const challenge: Challenge = {
  kind: 'challenge',
  challenge: 'sealed',
  seed: '00'.repeat(16),
  count: 1,
  target: 1,
  until: 60_000,
}

const sight = Object.assign(new EventTarget(), { hidden: false })

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  vi.stubGlobal('document', sight)
  see(true)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function see(visible: boolean) {
  sight.hidden = !visible
  sight.dispatchEvent(new Event('visibilitychange'))
}

function arrange(client: Partial<Client> = {}, solve: Solver['solve'] = () => Promise.resolve(Uint32Array.of(5))) {
  const seen: Session['state'][] = []
  const token: Token = { kind: 'token', response: 'tgr_x', until: 60_000 }
  const connect = (): Client => ({
    challenge: () => Promise.resolve(challenge),
    solve: () => Promise.resolve(token),
    renew: () => Promise.reject(),
    ...client,
  })
  const renew = vi.fn<(call: Call) => Promise<void>>().mockResolvedValue()
  const verification = createVerification({ warm: () => undefined, solve }, connect, renew, (now, before) => {
    if (now.state !== before.state) seen.push(now.state)
  })
  return { verification, seen, renew }
}

const turns = () => vi.advanceTimersByTimeAsync(0)

describe('a verification', () => {
  it('sees itself through from start to token', async () => {
    const solve = vi.fn<Client['solve']>().mockResolvedValue({ kind: 'token', response: 'tgr_y', until: 1000 })
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
    expect(verification.session().state).toBe('solved')
    verification.checkExpiry()
    expect(verification.session().state).toBe('expired')
  })

  it('solves a fresh challenge when the first one ran out', async () => {
    const solve = vi
      .fn<Client['solve']>()
      .mockRejectedValueOnce(new Failure('challenge-expired', undefined, undefined, 'req_1'))
      .mockResolvedValue({ kind: 'token', response: 'tgr_x', until: 1000 })
    const { verification, seen } = arrange({ solve })
    verification.step({ type: 'start' })
    await turns()
    expect(seen).toEqual(['loading', 'solving', 'loading', 'solving', 'solved'])
  })

  it('asks for nothing until the page is looked at', async () => {
    see(false)
    const ask = vi.fn<Client['challenge']>().mockResolvedValue(challenge)
    const { verification, seen } = arrange({ challenge: ask })
    verification.step({ type: 'start' })
    await turns()
    expect(ask).not.toHaveBeenCalled()
    see(true)
    await turns()
    expect(seen.at(-1)).toBe('solved')
    expect(ask).toHaveBeenCalledTimes(1)
  })

  it('rests while the page is hidden, and goes on with the same challenge', async () => {
    const signals: AbortSignal[] = []
    const { verification, seen } = arrange({}, (_puzzles, _onProgress, signal) => {
      signals.push(signal)
      return new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
        if (signals.length === 2) resolve(Uint32Array.of(5))
      })
    })
    verification.step({ type: 'start' })
    await turns()
    see(false)
    await turns()
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    expect(verification.session().state).toBe('solving')
    see(true)
    await turns()
    expect(seen).toEqual(['loading', 'solving', 'solved'])
  })

  it('works on no challenge that has ended, and asks for the next when the page is looked at', async () => {
    const ask = vi
      .fn<Client['challenge']>()
      .mockResolvedValueOnce({ ...challenge, until: 1000 })
      .mockResolvedValue({ ...challenge, until: 200_000 })
    let signal: AbortSignal | undefined
    const { verification, seen } = arrange({ challenge: ask }, (_puzzles, _onProgress, given) => {
      signal = given
      return new Promise(() => undefined)
    })
    verification.step({ type: 'start' })
    await turns()
    see(false)
    await vi.advanceTimersByTimeAsync(100_000)
    expect(seen).toEqual(['loading', 'solving', 'loading'])
    expect(signal?.aborted).toBe(true)
    expect(ask).toHaveBeenCalledTimes(1)
    see(true)
    await turns()
    expect(ask).toHaveBeenCalledTimes(2)
  })

  it('is told of in order when whoever hears of it moves it on', async () => {
    const seen: Session['state'][] = []
    const connect = (): Client => ({
      challenge: () => Promise.resolve(challenge),
      solve: () => Promise.reject(),
      renew: () => Promise.reject(),
    })
    const solver = { warm: () => undefined, solve: () => new Promise<Uint32Array>(() => undefined) }
    const verification = createVerification(
      solver,
      connect,
      () => Promise.reject(),
      ({ state }) => {
        seen.push(state)
        if (state === 'solving') verification.step({ type: 'reset' })
      },
    )
    verification.step({ type: 'start' })
    await turns()
    expect(seen).toEqual(['loading', 'solving', 'idle'])
    expect(vi.getTimerCount()).toBe(0)
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
    expect(verification.session().state).toBe('loading')
    expect(calls.map(({ call }) => call.signal.aborted)).toEqual([true, false])
  })

  describe('whose intent has ended', () => {
    const expired = () => Promise.reject(new Failure('intent-expired', undefined, undefined, 'req_1'))

    it('renews it when it is started again, and not by itself', async () => {
      const ask = vi.fn<Client['challenge']>().mockImplementationOnce(expired).mockResolvedValue(challenge)
      const { verification, seen, renew } = arrange({ challenge: ask })
      verification.step({ type: 'start' })
      await turns()
      expect([seen.at(-1), verification.isDue()]).toEqual(['expired', true])
      expect(renew).not.toHaveBeenCalled()
      verification.step({ type: 'start' })
      verification.step({ type: 'start' })
      await turns()
      expect(seen).toEqual(['loading', 'expired', 'loading', 'solving', 'solved'])
      expect(renew).toHaveBeenCalledTimes(1)
      expect(verification.isDue()).toBe(false)
    })

    it('is in error with a renewed one that has ended too, and renews again at the next start', async () => {
      const { verification, renew } = arrange({ challenge: expired })
      for (const times of [1, 2, 3]) {
        verification.step({ type: 'start' })
        await turns()
        expect(renew).toHaveBeenCalledTimes(times - 1)
      }
      const error = { state: 'error', code: 'intent-expired', field: 'renew', requestId: 'req_1' }
      expect(verification.session()).toMatchObject(error)
      expect(verification.isDue()).toBe(true)
    })

    it('is in error when the renewal fails, and renews again at the next start', async () => {
      const { verification, renew } = arrange({
        challenge: vi.fn<Client['challenge']>().mockImplementationOnce(expired),
      })
      renew.mockRejectedValueOnce(new Failure('network', 'renew'))
      verification.step({ type: 'start' })
      await turns()
      verification.step({ type: 'start' })
      await turns()
      expect(verification.session()).toMatchObject({ state: 'error', code: 'network', field: 'renew' })
      verification.step({ type: 'start' })
      await turns()
      expect(renew).toHaveBeenCalledTimes(2)
    })

    it('renews it when whoever hears of its end starts again at once', async () => {
      const ask = vi.fn<Client['challenge']>().mockImplementation(expired)
      const renew = vi.fn<(call: Call) => Promise<void>>().mockResolvedValue()
      const connect = (): Client => ({
        challenge: ask,
        solve: () => Promise.reject(),
        renew: () => Promise.reject(),
      })
      const solver = { warm: () => undefined, solve: () => Promise.reject() }
      const verification = createVerification(solver, connect, renew, ({ state }) => {
        if (state === 'expired' && ask.mock.calls.length < 9) verification.step({ type: 'start' })
      })
      verification.step({ type: 'start' })
      await turns()
      expect([renew.mock.calls.length, ask.mock.calls.length]).toEqual([1, 2])
      expect(verification.session()).toMatchObject({ state: 'error', field: 'renew' })
    })

    it('needs no renewal after a reset', async () => {
      const { verification, renew, seen } = arrange({
        challenge: vi.fn<Client['challenge']>().mockImplementationOnce(expired),
      })
      verification.step({ type: 'start' })
      await turns()
      verification.step({ type: 'reset' })
      verification.step({ type: 'start' })
      await turns()
      expect(seen.slice(0, 4)).toEqual(['loading', 'expired', 'idle', 'loading'])
      expect(renew).not.toHaveBeenCalled()
    })
  })

  it('calls a browser that throws unsupported', async () => {
    const { verification } = arrange({}, () => Promise.reject(new ReferenceError('Uint32Array is not defined')))
    verification.step({ type: 'start' })
    await turns()
    expect(verification.session()).toMatchObject({ state: 'error', code: 'unsupported' })
  })
})

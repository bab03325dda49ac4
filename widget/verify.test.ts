import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Call, Challenge, Client, Token } from './client.ts'
import { Failure } from './failure.ts'
import type { Session } from './session.ts'
import type { Solver } from './solver/solve.ts'
import { createVerification } from './verify.ts'

/** Later than now: the component takes the later one of two clocks, and only one of them is set by these tests. */
const NOW = Date.parse('2100-01-01T00:00:00Z')

const challenge: Challenge = {
  challenge: 'sealed',
  seed: '00'.repeat(16),
  count: 1,
  target: 1,
  expiresAt: NOW + 60_000,
}

const page = Object.assign(new EventTarget(), { hidden: false })

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
  vi.stubGlobal('document', page)
  setVisible(true)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function setVisible(visible: boolean) {
  page.hidden = !visible
  page.dispatchEvent(new Event('visibilitychange'))
}

type Verification = ReturnType<typeof createVerification>

function setUp(
  client: Partial<Client> = {},
  solve: Solver['solve'] = () => Promise.resolve(Uint32Array.of(5)),
  onState?: (state: Session['state'], verification: Verification) => void,
) {
  const states: Session['state'][] = []
  const token: Token = { response: 'tgr_x', expiresAt: NOW + 60_000 }
  const connect = (): Client => ({
    challenge: () => Promise.resolve(challenge),
    solve: () => Promise.resolve(token),
    renew: () => Promise.reject(),
    ...client,
  })
  const renew = vi.fn<(call: Call) => Promise<void>>().mockResolvedValue()
  const verification = createVerification({ preload: () => undefined, solve }, connect, renew, (now, before) => {
    if (now.state === before.state) return
    states.push(now.state)
    onState?.(now.state, verification)
  })
  return { verification, states, renew }
}

const flush = () => vi.advanceTimersByTimeAsync(0)

async function start(verification: Verification): Promise<void> {
  verification.step({ type: 'start' })
  await flush()
}

describe('a verification', () => {
  it('runs from start to token', async () => {
    const solve = vi.fn<Client['solve']>().mockResolvedValue({ response: 'tgr_y', expiresAt: NOW + 1000 })
    const { verification, states } = setUp({ solve })
    await start(verification)
    expect(states).toEqual(['loading', 'solving', 'solved'])
    expect(solve).toHaveBeenCalledWith(challenge, Uint32Array.of(5), expect.anything())
  })

  it('expires with the token, and not before', async () => {
    const { verification, states } = setUp()
    verification.step({ type: 'start' })
    await vi.advanceTimersByTimeAsync(59_999)
    expect(states.at(-1)).toBe('solved')
    await vi.advanceTimersByTimeAsync(1)
    expect(states.at(-1)).toBe('expired')
  })

  it('notices a token that expired while timers did not run', async () => {
    const { verification } = setUp()
    await start(verification)
    vi.setSystemTime(NOW + 60_001)
    expect(verification.session().state).toBe('solved')
    verification.checkExpiry()
    expect(verification.session().state).toBe('expired')
  })

  it('expires with the token although the clock was set back', async () => {
    const { verification, states } = setUp()
    await start(verification)
    vi.setSystemTime(NOW - 7_200_000)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(states.at(-1)).toBe('expired')
  })

  it.each([
    ['network', undefined, 0],
    ['unavailable', 2_000, 2_000],
    ['internal-error', undefined, 0],
    ['rate-limited', 3_600_000, 3_600_000],
    ...['bad-request', 'origin-not-allowed', 'site-disabled', 'unsupported', 'solution-invalid'].map(
      (code): [string, undefined, number] => [code, undefined, Number.POSITIVE_INFINITY],
    ),
  ])('may be tried again by itself after %s, in %s ms', async (code, retryAfter, wait) => {
    const { verification } = setUp({ challenge: () => Promise.reject(new Failure(code, undefined, retryAfter)) })
    await start(verification)
    const end = Math.min(wait, 86_400_000)
    vi.setSystemTime(NOW + Math.max(0, end - 1))
    const early = verification.canRetry()
    vi.setSystemTime(NOW + end)
    expect([early, verification.canRetry()]).toEqual([wait === 0, wait === end])
  })

  it('sends requests less often in a run after an error, because a form may wait for it', async () => {
    const tries: number[] = []
    const { verification } = setUp({
      challenge: async ({ maxTries }) => {
        tries.push(maxTries)
        return tries.length === 1 ? Promise.reject(new Failure('network')) : challenge
      },
      solve: (_challenge, _nonces, { maxTries }) => {
        tries.push(maxTries)
        return Promise.resolve({ response: 'tgr_x', expiresAt: NOW + 60_000 })
      },
    })
    for (const event of ['start', 'start', 'reset', 'start'] as const) {
      verification.step({ type: event })
      await flush()
    }
    expect(tries).toEqual([4, 2, 2, 4, 4])
  })

  it('requests a challenge of SHA-256 when HashWX fails, once in a page', async () => {
    const request = vi
      .fn<Client['challenge']>()
      .mockImplementation(async (_, plain) => (plain ? challenge : { ...challenge, span: 1000 }))
    const solve: Solver['solve'] = ({ span }) =>
      span ? Promise.reject(new Failure('unsupported')) : Promise.resolve(Uint32Array.of(5))
    const runs = [setUp({ challenge: request }, solve), setUp({ challenge: request }, solve)]
    for (const { verification } of runs) {
      await start(verification)
    }
    expect(runs.map(({ states }) => states)).toEqual([
      ['loading', 'solving', 'loading', 'solving', 'solved'],
      ['loading', 'solving', 'solved'],
    ])
    expect(request.mock.calls.map(([, plain]) => plain)).toEqual([false, true, true])
  })

  it.each([new Failure('unsupported'), new ReferenceError('Uint32Array is not defined')])(
    'reports that SHA-256 fails, and unexpected exceptions, as unsupported: %s',
    async (thrown) => {
      const { verification, states } = setUp({}, async () => {
        throw thrown
      })
      await start(verification)
      expect(states).toEqual(['loading', 'solving', 'error'])
      expect(verification.session()).toMatchObject({ code: 'unsupported' })
    },
  )

  it('solves a new challenge when the first one has expired', async () => {
    const solve = vi
      .fn<Client['solve']>()
      .mockRejectedValueOnce(new Failure('challenge-expired', undefined, undefined, 'req_1'))
      .mockResolvedValue({ response: 'tgr_x', expiresAt: NOW + 1000 })
    const { verification, states } = setUp({ solve })
    await start(verification)
    expect(states).toEqual(['loading', 'solving', 'loading', 'solving', 'solved'])
  })

  it('sends no request until the page is visible', async () => {
    setVisible(false)
    const ask = vi.fn<Client['challenge']>().mockResolvedValue(challenge)
    const { verification, states } = setUp({ challenge: ask })
    await start(verification)
    expect(ask).not.toHaveBeenCalled()
    setVisible(true)
    await flush()
    expect(states.at(-1)).toBe('solved')
    expect(ask).toHaveBeenCalledTimes(1)
  })

  it('finishes its challenge while the page is hidden', async () => {
    const solves: ((nonces: Uint32Array) => void)[] = []
    const { verification, states } = setUp({}, () => new Promise((resolve) => void solves.push(resolve)))
    await start(verification)
    setVisible(false)
    solves[0]?.(Uint32Array.of(5))
    await flush()
    expect(solves).toHaveLength(1)
    expect(states).toEqual(['loading', 'solving', 'solved'])
  })

  it('does not solve an expired challenge, and requests the next when the page is visible', async () => {
    const ask = vi
      .fn<Client['challenge']>()
      .mockResolvedValueOnce({ ...challenge, expiresAt: NOW + 1000 })
      .mockResolvedValue({ ...challenge, expiresAt: NOW + 200_000 })
    let signal: AbortSignal | undefined
    const { verification, states } = setUp({ challenge: ask }, (_puzzles, _onProgress, given) => {
      signal = given
      return new Promise(() => undefined)
    })
    await start(verification)
    setVisible(false)
    await vi.advanceTimersByTimeAsync(100_000)
    expect(states).toEqual(['loading', 'solving', 'loading'])
    expect(signal?.aborted).toBe(true)
    expect(ask).toHaveBeenCalledTimes(1)
    setVisible(true)
    await flush()
    expect(ask).toHaveBeenCalledTimes(2)
  })

  it('reports changes in order when a listener changes the session', async () => {
    const never = () => new Promise<Uint32Array>(() => undefined)
    const { verification, states } = setUp({}, never, (state, each) => {
      if (state === 'solving') each.step({ type: 'reset' })
    })
    await start(verification)
    expect(states).toEqual(['loading', 'solving', 'idle'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('cancels the current run on reset and ignores its result', async () => {
    let signal: AbortSignal | undefined
    let finish: (nonces: Uint32Array) => void = () => undefined
    const { verification, states } = setUp({}, (_puzzles, _onProgress, given) => {
      signal = given
      return new Promise((resolve) => {
        finish = resolve
      })
    })
    await start(verification)
    verification.step({ type: 'reset' })
    expect(signal?.aborted).toBe(true)
    finish(Uint32Array.of(5))
    await flush()
    expect(states).toEqual(['loading', 'solving', 'idle'])
  })

  it('ignores a late failure of an aborted run', async () => {
    const calls: { call: Call; reject: (reason: unknown) => void }[] = []
    const pending = (call: Call) =>
      new Promise<Challenge>((_resolve, reject) => {
        calls.push({ call, reject })
      })
    const { verification } = setUp({ challenge: pending })
    verification.step({ type: 'start' })
    verification.step({ type: 'reset' })
    verification.step({ type: 'start' })
    calls[0]?.reject(new Failure('network'))
    await flush()
    expect(verification.session().state).toBe('loading')
    expect(calls.map(({ call }) => call.signal.aborted)).toEqual([true, false])
  })

  describe('with an expired intent', () => {
    const expired = () => Promise.reject(new Failure('intent-expired', undefined, undefined, 'req_1'))

    it('renews it when it is started again, and not before', async () => {
      const ask = vi.fn<Client['challenge']>().mockImplementationOnce(expired).mockResolvedValue(challenge)
      const { verification, states, renew } = setUp({ challenge: ask })
      await start(verification)
      expect([states.at(-1), verification.needsIntent()]).toEqual(['expired', true])
      expect(renew).not.toHaveBeenCalled()
      verification.step({ type: 'start' })
      await start(verification)
      expect(states).toEqual(['loading', 'expired', 'loading', 'solving', 'solved'])
      expect(renew).toHaveBeenCalledTimes(1)
      expect(verification.needsIntent()).toBe(false)
    })

    it('fails if the renewed intent has expired too, and renews again at the next start', async () => {
      const { verification, renew } = setUp({ challenge: expired })
      for (const times of [1, 2, 3]) {
        await start(verification)
        expect(renew).toHaveBeenCalledTimes(times - 1)
      }
      const error = { state: 'error', code: 'intent-expired', field: 'renew', requestId: 'req_1' }
      expect(verification.session()).toMatchObject(error)
      expect(verification.needsIntent()).toBe(true)
    })

    it('fails when the renewal fails, and renews again at the next start', async () => {
      const { verification, renew } = setUp({
        challenge: vi.fn<Client['challenge']>().mockImplementationOnce(expired),
      })
      renew.mockRejectedValueOnce(new Failure('network', 'renew'))
      await start(verification)
      await start(verification)
      expect(verification.session()).toMatchObject({ state: 'error', code: 'network', field: 'renew' })
      await start(verification)
      expect(renew).toHaveBeenCalledTimes(2)
    })

    it('renews it when a listener starts again immediately', async () => {
      const ask = vi.fn<Client['challenge']>().mockImplementation(expired)
      const { verification, renew } = setUp({ challenge: ask }, undefined, (state, each) => {
        if (state === 'expired' && ask.mock.calls.length < 9) each.step({ type: 'start' })
      })
      await start(verification)
      expect([renew.mock.calls.length, ask.mock.calls.length]).toEqual([1, 2])
      expect(verification.session()).toMatchObject({ state: 'error', field: 'renew' })
    })

    it('needs no renewal after a reset', async () => {
      const { verification, renew, states } = setUp({
        challenge: vi.fn<Client['challenge']>().mockImplementationOnce(expired),
      })
      await start(verification)
      verification.step({ type: 'reset' })
      await start(verification)
      expect(states.slice(0, 4)).toEqual(['loading', 'expired', 'idle', 'loading'])
      expect(renew).not.toHaveBeenCalled()
    })
  })
})

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Challenge, createClient } from './client.ts'

const allowed = vi.hoisted(() => ({ canCompile: vi.fn<() => boolean>(() => true) }))
vi.mock('./solver/allowed.ts', () => allowed)

const NOW = Date.parse('2030-01-01T00:00:00Z')
const NOW_SECONDS = NOW / 1000
const PUZZLES = { kind: 'pow-sha256', challenge: 'sealed', seed: 'ab'.repeat(16), count: 2, target: 1000 }
const HASHWX = { kind: 'pow-hashwx', seed: 'cd'.repeat(32), span: 262_144 }
const CHALLENGE: Challenge = {
  challenge: 'sealed',
  seed: PUZZLES.seed,
  count: 2,
  target: 1000,
  expiresAt: NOW + 60_000,
}
const TOKEN = { response: 'tgr_x', expires_at: NOW_SECONDS + 200 }

const fetched = vi.fn<typeof fetch>()
let facts = ''
const client = createClient('https://gate.example', { sitekey: 'tg_site_x', intent: 'i-1' }, () => facts)
const onWait = vi.fn<() => void>()

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), {
    status,
    headers: { 'X-Request-Id': 'req_1', Date: new Date(NOW).toUTCString(), ...headers },
  })

function call(signal = new AbortController().signal) {
  return { signal, maxTries: 4, onWait }
}

/** Advances the timers until the promise settles, and returns how long that took. */
async function settle<T>(promise: Promise<T>): Promise<{ result: PromiseSettledResult<T>; waited: number }> {
  const begun = Date.now()
  let waited = -1
  const settled = Promise.allSettled([promise]).then(([result]) => {
    waited = Date.now() - begun
    return result
  })
  await vi.runAllTimersAsync()
  return { result: await settled, waited }
}

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
  vi.stubGlobal('fetch', fetched)
  vi.stubGlobal('navigator', { onLine: true })
  vi.spyOn(Math, 'random').mockReturnValue(0)
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  fetched.mockReset()
  onWait.mockReset()
  facts = ''
})

describe('the client', () => {
  it('sends what the component noticed in a header, and no header without it, and never to the merchant', async () => {
    fetched.mockImplementation(async () => answer(200, { ...TOKEN, kind: 'none', intent_id: 'i-2' }))
    const sent = async (request: Promise<unknown>) => {
      await request
      return new Headers(fetched.mock.lastCall?.[1]?.headers).get('Svc-Captcha-Facts')
    }
    expect(await sent(client.challenge(call()))).toBe(null)
    facts = 'webdriver,idle'
    expect(await sent(client.challenge(call()))).toBe('webdriver,idle')
    facts = 'honeypot'
    expect(await sent(client.solve(CHALLENGE, Uint32Array.of(1, 2), call()))).toBe('honeypot')
    expect(await sent(client.renew('https://shop.example/renew', call()))).toBe(null)
  })

  it('requests a challenge with exactly the fields of the contract', async () => {
    fetched.mockResolvedValue(answer(200, { ...PUZZLES, expires_at: NOW_SECONDS + 60 }))
    await expect(client.challenge(call())).resolves.toEqual({
      challenge: 'sealed',
      seed: PUZZLES.seed,
      count: 2,
      target: 1000,
      expiresAt: NOW + 59_000,
    })
    const [url, request] = fetched.mock.calls[0] ?? []
    expect(url).toBe('https://gate.example/challenge')
    expect(request).toMatchObject({ method: 'POST', credentials: 'omit' })
    expect(request?.body).toBe('{"sitekey":"tg_site_x","intent_id":"i-1","kinds":["pow-hashwx","pow-sha256"]}')
  })

  it('offers pow-hashwx only where WebAssembly can be compiled, and not after it has failed', async () => {
    fetched.mockImplementation(async () => answer(200, { ...PUZZLES, expires_at: NOW_SECONDS + 60 }))
    await client.challenge(call(), true)
    allowed.canCompile.mockReturnValueOnce(false)
    await client.challenge(call())
    const bodies = fetched.mock.calls.map(([, request]) => request?.body)
    expect(bodies).toEqual(Array.from({ length: 2 }, () => '{"sitekey":"tg_site_x","intent_id":"i-1"}'))
  })

  it.each(['Array', 'String', 'Object'])('sends the same body where %s.prototype has a toJSON', async (type) => {
    const { prototype } = globalThis[type as 'Array']
    fetched.mockResolvedValue(answer(200, { ...PUZZLES, expires_at: NOW_SECONDS + 60 }))
    Object.defineProperty(prototype, 'toJSON', { configurable: true, value: () => 'changed' })
    try {
      await client.challenge(call())
    } finally {
      Reflect.deleteProperty(prototype, 'toJSON')
    }
    expect(fetched.mock.calls[0]?.[1]?.body).toBe(
      '{"sitekey":"tg_site_x","intent_id":"i-1","kinds":["pow-hashwx","pow-sha256"]}',
    )
  })

  it('returns the puzzles of pow-hashwx with their span', async () => {
    fetched.mockResolvedValue(answer(200, { ...PUZZLES, ...HASHWX, expires_at: NOW_SECONDS + 60 }))
    await expect(client.challenge(call())).resolves.toMatchObject({ seed: HASHWX.seed, span: 262_144 })
  })

  /** An answer whose connection ends within the body. */
  const cut = (status: number) => {
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode('{"error":"chal')),
      pull: (stream) => stream.error(new TypeError('terminated')),
    })
    return new Response(body, { status })
  }

  it.each([200, 409, 422, 503])('takes an answer with %i that is cut off for none, and asks again', async (status) => {
    fetched.mockImplementation(async () => cut(status))
    const { result } = await settle(client.challenge(call()))
    expect(result).toMatchObject({ status: 'rejected', reason: { code: 'network', field: undefined } })
    expect(fetched).toHaveBeenCalledTimes(4)
    const whole = answer(409, { error: 'challenge-expired' })
    fetched.mockReset().mockResolvedValueOnce(cut(status)).mockResolvedValueOnce(whole)
    const { result: second } = await settle(client.solve(CHALLENGE, new Uint32Array(2), call()))
    expect(second).toMatchObject({ status: 'rejected', reason: { code: 'challenge-expired', requestId: 'req_1' } })
  })

  it('does not repeat a request to an endpoint without a scheme', async () => {
    fetched.mockRejectedValue(new TypeError('Failed to fetch'))
    const local = createClient('localhost:4700', { sitekey: 'tg_site_x', intent: 'i-1' }, () => '')
    const { result } = await settle(local.challenge(call()))
    expect(result).toMatchObject({ status: 'rejected', reason: { code: 'network' } })
    expect(fetched).toHaveBeenCalledTimes(1)
  })

  it('sends nonces as unpadded base64url of big-endian words', async () => {
    fetched.mockResolvedValue(answer(200, TOKEN))
    await client.solve(CHALLENGE, Uint32Array.of(0xfffefdfc, 1), call())
    expect(fetched.mock.calls[0]?.[1]?.body).toBe(
      '{"sitekey":"tg_site_x","intent_id":"i-1","challenge":"sealed","solution":"__79_AAAAAE"}',
    )
  })

  it('returns the token immediately when the intent needs no challenge', async () => {
    fetched.mockResolvedValue(answer(200, { kind: 'none', ...TOKEN }))
    await expect(client.challenge(call())).resolves.toMatchObject({ response: 'tgr_x' })
  })

  it.each([
    ['another kind', { kind: 'pow-argon2' }],
    ['an invalid seed', { seed: 'xyz' }],
    ['no puzzles', { count: 0 }],
    ['too many puzzles', { count: 1e9 }],
    ['an impossible target', { target: 0 }],
    ['a target that is a string', { target: '1000' }],
    ['a span of nothing', { ...HASHWX, span: 0 }],
    ['a span that is a string', { ...HASHWX, span: '9' }],
    ['a span that is too long', { ...HASHWX, span: 2 ** 32 }],
    ['a short seed of pow-hashwx', { ...HASHWX, seed: 'cd'.repeat(31) }],
  ])('rejects %s as unsupported', async (_, change) => {
    fetched.mockResolvedValue(answer(200, { ...PUZZLES, expires_at: NOW_SECONDS + 60, ...change }))
    await expect(client.challenge(call())).rejects.toMatchObject({ code: 'unsupported' })
  })

  it.each(['', 'x', 'tgr_', 'tgr_x)', 'tgr_a b', 7])('does not accept %j as a token', async (response) => {
    fetched.mockResolvedValue(answer(200, { ...TOKEN, response }))
    await expect(client.solve(CHALLENGE, new Uint32Array(2), call())).rejects.toMatchObject({ code: 'unsupported' })
  })

  it.each([
    [-7200, true, 199_000],
    [0, true, 199_000],
    [7200, true, 199_000],
    [-7200, false, 300_000],
    [7200, false, 300_000],
  ])(
    'computes the lifetime of a token with a clock that is %i s off; Date header: %s',
    async (skew, hasDate, lives) => {
      const date = new Date(NOW + skew * 1000).toUTCString()
      const reply = answer(200, { ...TOKEN, expires_at: TOKEN.expires_at + skew }, { Date: date })
      if (!hasDate) reply.headers.delete('Date')
      fetched.mockResolvedValue(reply)
      expect((await client.solve(CHALLENGE, new Uint32Array(2), call())).expiresAt).toBe(NOW + lives)
    },
  )

  it.each([
    [200, '<!doctype html>'],
    [200, ''],
    [200, { status: 'ok' }],
    [200, ['pow-sha256']],
    [204, null],
    [403, '<!doctype html>'],
    [404, { error: 'Not Found', statusCode: 404 }],
    [302, ''],
  ])('takes an answer that is not of the service for a problem of the connection: %i %j', async (status, body) => {
    fetched.mockImplementation(async () => (body === null ? new Response(null, { status }) : answer(status, body)))
    for (const ask of [() => client.challenge(call()), () => client.solve(CHALLENGE, new Uint32Array(2), call())]) {
      const { result } = await settle(ask())
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'network', field: 'answer' } })
    }
  })

  describe('renewal', () => {
    const URL = 'https://shop.example/intent'
    const renew = (signal?: AbortSignal) => client.renew(URL, call(signal))

    it('sends the expired intent with the cookies of the page and returns the new intent', async () => {
      fetched.mockResolvedValue(answer(200, { intent_id: 'i-2', other: true }))
      await expect(renew()).resolves.toBe('i-2')
      const [url, request] = fetched.mock.calls[0] ?? []
      expect([url, request?.method, request?.credentials]).toEqual([URL, 'POST', 'same-origin'])
      expect(request?.headers).toEqual({ 'Content-Type': 'application/json', Accept: 'application/json' })
      expect(request?.body).toBe('{"intent_id":"i-1"}')
    })

    it.each([{}, { intent_id: 'i-1' }, { intent_id: '' }, { intent_id: 7 }, null, ['i-2']])(
      'takes %j for no new intent',
      async (body) => {
        fetched.mockResolvedValue(answer(200, body))
        await expect(renew()).rejects.toMatchObject({ code: 'intent-expired', field: 'renew' })
      },
    )

    it.each([
      [404, '<!doctype html>', 'bad-request'],
      [200, '<!doctype html>', 'bad-request'],
      [402, { error: 'quota-exceeded', field: 'any' }, 'quota-exceeded'],
      [500, '', 'unavailable'],
    ])('names the renewal in the error after %i %j', async (status, body, code) => {
      fetched.mockImplementation(() => Promise.resolve(answer(status, body)))
      const { result } = await settle(renew())
      expect(result).toMatchObject({ status: 'rejected', reason: { code, field: 'renew' } })
    })

    it('returns no intent to a run that was aborted', async () => {
      const run = new AbortController()
      fetched.mockImplementation(() => {
        run.abort()
        return Promise.resolve(answer(200, { intent_id: 'i-2' }))
      })
      await expect(renew(run.signal)).rejects.toBeDefined()
    })
  })

  const ok = () => answer(200, { kind: 'none', ...TOKEN })
  const limited = (seconds: number) => () => answer(429, { error: 'rate-limited' }, { 'Retry-After': `${seconds}` })
  const says = (status: number, body: unknown) => () => answer(status, body)
  const broken = () => Promise.reject(new TypeError('Failed to fetch'))

  /** The answers, of which the last repeats; the token or the failure; and the requests, milliseconds and waits until then. */
  const RUNS: [
    title: string,
    replies: (() => Response | Promise<Response>)[],
    outcome: object,
    counts: { requests: number; waited?: number; waits?: number },
    maxTries?: number,
  ][] = [
    [
      'returns the code and the request ID of an error, without a retry',
      [says(403, { error: 'site-disabled' })],
      { reason: { code: 'site-disabled', requestId: 'req_1' } },
      { requests: 1, waited: 0, waits: 0 },
    ],
    [
      'returns the field of an error',
      [says(422, { error: 'bad-request', field: 'sitekey' })],
      { reason: { code: 'bad-request', field: 'sitekey' } },
      { requests: 1 },
    ],
    [
      'asks again when something else has answered',
      [says(200, '<!doctype html>'), says(403, '<!doctype html>'), ok],
      { status: 'fulfilled' },
      { requests: 3, waits: 0 },
    ],
    [
      'waits as long as a 429 requires, reports it, and retries',
      [limited(7), ok],
      { status: 'fulfilled' },
      { requests: 2, waited: 7_000, waits: 1 },
    ],
    [
      'waits for its place in line without using up its tries',
      [limited(20), limited(5), limited(3), limited(2), broken, limited(1), ok],
      { status: 'fulfilled' },
      { requests: 7, waited: 20_000 + 5_000 + 3_000 + 2_000 + 400 + 1_000, waits: 5 },
      2,
    ],
    [
      'waits in line for two minutes at most',
      [limited(25)],
      { reason: { code: 'rate-limited', retryAfter: 25_000 } },
      { requests: 5, waited: 100_000 },
    ],
    [
      'tries four times while a limit says no time',
      [says(429, { error: 'rate-limited' })],
      { reason: { code: 'rate-limited' } },
      { requests: 4 },
    ],
    [
      'does not retry by itself after more than a minute',
      [limited(61)],
      { reason: { code: 'rate-limited' } },
      { requests: 1, waited: 0 },
    ],
    [
      'tries four times with growing delays while the service is unavailable',
      [says(503, { error: 'unavailable' })],
      { reason: { code: 'unavailable', requestId: 'req_1' } },
      { requests: 4, waited: 400 + 800 + 1600 },
    ],
    [
      "takes a proxy's page for the service being unavailable",
      [says(502, '<html>'), ok],
      { status: 'fulfilled' },
      { requests: 2 },
    ],
    ['retries after a failed connection', [broken, ok], { status: 'fulfilled' }, { requests: 2, waits: 0 }],
    ['tries as often as the call allows', [broken], { reason: { code: 'network' } }, { requests: 2 }, 2],
  ]

  it.each(RUNS)('%s', async (_, replies, outcome, counts, maxTries = 4) => {
    const left = [...replies]
    fetched.mockImplementation(async () => ((left.length > 1 ? left.shift() : left[0]) ?? ok)())
    const { result, waited } = await settle(client.challenge({ ...call(), maxTries }))
    expect(result).toMatchObject(outcome)
    expect({ requests: fetched.mock.calls.length, waited, waits: onWait.mock.calls.length }).toMatchObject(counts)
  })

  it('does not retry while the device is offline', async () => {
    vi.stubGlobal('navigator', { onLine: false })
    fetched.mockRejectedValue(new TypeError('Failed to fetch'))
    await expect(client.challenge(call())).rejects.toMatchObject({ code: 'network' })
    expect(fetched).toHaveBeenCalledTimes(1)
  })

  /** An answer that takes so many seconds, or is aborted before. */
  const after = (seconds: number) => (_: unknown, request?: RequestInit) =>
    new Promise<Response>((resolve, reject) => {
      request?.signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')))
      setTimeout(() => resolve(answer(200, { kind: 'none', ...TOKEN })), seconds * 1000)
    })

  it('gives up a request after 5 s, and each further one 5 s later', async () => {
    fetched.mockImplementation(after(60))
    const { result, waited } = await settle(client.challenge(call()))
    expect(result).toMatchObject({ status: 'rejected', reason: { code: 'network', field: undefined } })
    expect(waited).toBe(5000 + 400 + 10_000 + 800 + 15_000 + 1600 + 20_000)
  })

  it.each([6, 12, 18])('gets through where an answer takes %i s', async (seconds) => {
    fetched.mockImplementation(after(seconds))
    const { result } = await settle(client.challenge(call()))
    expect(result.status).toBe('fulfilled')
  })

  it('does not give up a request whose answer arrives while the page blocks its thread', async () => {
    fetched.mockImplementation(after(3))
    const asked = client.challenge(call())
    await vi.advanceTimersByTimeAsync(1000)
    vi.setSystemTime(NOW + 60_000)
    const { result } = await settle(asked)
    expect(result.status).toBe('fulfilled')
    expect(fetched).toHaveBeenCalledTimes(1)
  })

  it('stops immediately when the widget is removed, and sends no more requests', async () => {
    const run = new AbortController()
    fetched.mockImplementation(() => Promise.resolve(answer(503, { error: 'unavailable' })))
    const asked = client.challenge(call(run.signal))
    asked.catch(() => undefined)
    await vi.advanceTimersByTimeAsync(100)
    run.abort()
    const { waited } = await settle(asked)
    expect(waited).toBe(0)
    expect(fetched).toHaveBeenCalledTimes(1)
  })
})

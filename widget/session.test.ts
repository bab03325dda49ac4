import { describe, expect, it } from 'vitest'
import type { Challenge, Token } from './client.ts'
import { advance, IDLE, type Session, type Step } from './session.ts'

const challenge: Challenge = {
  challenge: 'sealed',
  seed: '00'.repeat(16),
  count: 1,
  target: 1,
  expiresAt: 60_000,
}
const token: Token = { response: 'tgr_x', expiresAt: 1 }

const after = (...steps: Step[]): Session => steps.reduce(advance, IDLE)
const start: Step = { type: 'start' }
const challenged: Step = { type: 'challenged', challenge }
const failed = (code: string, requestId?: string, field?: string): Step => ({ type: 'failed', code, requestId, field })

describe('a session', () => {
  it('goes from idle through loading and solving to solved', () => {
    expect(after(start)).toEqual({ state: 'loading', attempt: 1, waiting: false })
    expect(after(start, challenged)).toMatchObject({ state: 'solving', challenge, ratio: 0 })
    expect(after(start, challenged, { type: 'passed', token })).toEqual({ state: 'solved', token })
  })

  it('is solved without a puzzle when the intent needs none', () => {
    expect(after(start, { type: 'passed', token }).state).toBe('solved')
  })

  it('requests a new challenge when the last one has expired, but at most twice', () => {
    const late = failed('challenge-expired')
    expect(after(start, challenged, late)).toMatchObject({ state: 'loading', attempt: 2 })
    const thrice = after(start, challenged, late, challenged, late, challenged, late)
    expect(thrice).toMatchObject({ state: 'error', code: 'challenge-expired' })
  })

  it('expires with the intent, in any state', () => {
    for (const steps of [[start], [start, challenged]]) {
      const gone = after(...steps, failed('intent-expired'))
      expect(gone).toEqual({ state: 'expired' })
      expect(advance(gone, start)).toEqual({ state: 'loading', attempt: 1, waiting: false })
      expect(advance(advance(gone, { type: 'reset' }), start).state).toBe('loading')
    }
  })

  it('is an error when the intent has expired and the renewal failed', () => {
    expect(after(start, failed('intent-expired', undefined, 'renew'))).toMatchObject({ state: 'error', field: 'renew' })
  })

  it('keeps code, request ID and field of an error, and can start again', () => {
    const broken = after(start, challenged, failed('bad-request', 'req_1', 'sitekey'))
    expect(broken).toEqual({ state: 'error', code: 'bad-request', requestId: 'req_1', field: 'sitekey' })
    expect(advance(broken, start)).toEqual({ state: 'loading', attempt: 1, waiting: false })
  })

  it('does not start twice', () => {
    for (const steps of [[start], [start, challenged], [start, challenged, { type: 'passed', token } as const]]) {
      const session = after(...steps)
      expect(advance(session, start)).toBe(session)
    }
  })

  it('expires with its token, and requests another challenge when one expires', () => {
    expect(after(start, { type: 'passed', token }, { type: 'timeout' })).toEqual({ state: 'expired' })
    expect(after(start, challenged, { type: 'timeout' })).toMatchObject({ state: 'loading', attempt: 2 })
    const loading = after(start)
    expect(advance(loading, { type: 'timeout' })).toBe(loading)
  })

  it('ignores steps of a run that was aborted', () => {
    const late: Step[] = [challenged, { type: 'progress', ratio: 0.5 }, { type: 'passed', token }, { type: 'waiting' }]
    for (const step of late) expect(advance(IDLE, step)).toBe(IDLE)
    const solved = after(start, { type: 'passed', token })
    expect(advance(solved, failed('network'))).toBe(solved)
  })

  it('is waiting until the next state', () => {
    const waiting = after(start, { type: 'waiting' })
    expect(waiting).toMatchObject({ state: 'loading', waiting: true })
    expect(advance(waiting, { type: 'waiting' })).toBe(waiting)
    expect(advance(waiting, challenged)).toMatchObject({ state: 'solving', waiting: false })
  })

  it('reports progress in visible steps, never backwards, and always the end', () => {
    const half = after(start, challenged, { type: 'progress', ratio: 0.5 })
    expect(half).toMatchObject({ ratio: 0.5 })
    expect(advance(half, { type: 'progress', ratio: 0.505 })).toBe(half)
    expect(advance(half, { type: 'progress', ratio: 0.3 })).toBe(half)
    const nearly = advance(half, { type: 'progress', ratio: 0.995 })
    expect(advance(nearly, { type: 'progress', ratio: 1 })).toMatchObject({ ratio: 1 })
  })
})

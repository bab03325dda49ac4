import { describe, expect, it } from 'vitest'
import { describeSession } from './describe.ts'
import { PART } from './language.ts'
import en from './text/english'

const error = (code: string, requestId?: string) =>
  describeSession({ state: 'error', code, requestId, field: undefined }, en, false)

describe('the description of a session', () => {
  it('has a button only when the visitor can do something', () => {
    expect(describeSession({ state: 'idle' }, en, false).action).toBe(PART.verify)
    expect(describeSession({ state: 'loading', attempt: 1, waiting: false }, en, false).action).toBeUndefined()
    expect(
      describeSession({ state: 'solved', token: { response: 'tgr_x', expiresAt: 0 } }, en, false).action,
    ).toBeUndefined()
    expect(describeSession({ state: 'expired' }, en, false).action).toBe(PART.reload)
    expect(error('network').action).toBe(PART.retry)
  })

  it('has a reference: the last eight characters of the request ID, else the code', () => {
    expect(error('unavailable', 'req_0123456789abcdef').reference).toBe('Ref. 89abcdef')
    expect(error('network').reference).toBe('Ref. network')
  })

  it('has advice for every error', () => {
    expect(error('network')).toMatchObject({ label: en[PART.offline], advice: en[PART.offlineAdvice] })
    expect(error('rate-limited')).toMatchObject({ label: en[PART.limited], advice: en[PART.limitedAdvice] })
    expect(error('internal-error')).toMatchObject({ label: en[PART.busy], advice: en[PART.busyAdvice] })
    expect(error('solution-invalid')).toMatchObject({ label: en[PART.failed], advice: en[PART.failedAdvice] })
  })

  it('refers to the site owner for configuration errors and for unknown codes', () => {
    for (const code of ['bad-request', 'site-disabled', 'missing-option', 'from-the-future']) {
      expect(error(code)).toMatchObject({ label: en[PART.misconfigured], advice: en[PART.misconfiguredAdvice] })
    }
  })

  it('has no retry button for errors that a retry cannot fix', () => {
    expect(error('missing-option').action).toBeUndefined()
    expect(error('unsupported').action).toBeUndefined()
    expect(error('origin-not-allowed').action).toBeUndefined()
  })

  it('names the page’s address as the cause of origin-not-allowed', () => {
    expect(error('origin-not-allowed')).toMatchObject({ label: en[PART.unlisted], advice: en[PART.unlistedAdvice] })
  })

  it('never offers to reload a page after the visitor has typed something', () => {
    const { label, advice, action } = describeSession({ state: 'expired' }, en, true)
    expect([label, advice, action]).toEqual([en[PART.expired], en[PART.copyAdvice], undefined])
  })

  it('shows that it is waiting for a busy service', () => {
    expect(describeSession({ state: 'loading', attempt: 1, waiting: true }, en, false).label).toBe(en[PART.waiting])
  })
})

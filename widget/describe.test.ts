import { expect, it, describe as suite } from 'vitest'
import { describe } from './describe.ts'
import { PART } from './language.ts'
import en from './text/english'

const error = (code: string, requestId?: string) =>
  describe({ state: 'error', code, requestId, field: undefined }, en, false)

suite('what the visitor is told', () => {
  it('asks to be pressed only when there is something for the visitor to do', () => {
    expect(describe({ state: 'idle' }, en, false).action).toBe(PART.verify)
    expect(describe({ state: 'loading', attempt: 1, waiting: false }, en, false).action).toBeUndefined()
    expect(
      describe({ state: 'solved', token: { kind: 'token', response: 'tgr_x', until: 0 } }, en, false).action,
    ).toBeUndefined()
    expect(describe({ state: 'expired' }, en, false).action).toBe(PART.reload)
    expect(error('network').action).toBe(PART.retry)
  })

  it('gives a reference of the last eight characters of the request id, else the code', () => {
    expect(error('unavailable', 'req_0123456789abcdef').reference).toBe('Ref. 89abcdef')
    expect(error('network').reference).toBe('Ref. network')
  })

  it('says what to do about every trouble', () => {
    expect(error('network')).toMatchObject({ label: en[PART.offline], advice: en[PART.offlineAdvice] })
    expect(error('rate-limited')).toMatchObject({ label: en[PART.limited], advice: en[PART.limitedAdvice] })
    expect(error('internal-error')).toMatchObject({ label: en[PART.busy], advice: en[PART.busyAdvice] })
    expect(error('solution-invalid')).toMatchObject({ label: en[PART.failed], advice: en[PART.failedAdvice] })
  })

  it('leaves what only the site can mend to the site, and codes of later versions too', () => {
    for (const code of ['bad-request', 'site-disabled', 'missing-option', 'from-the-future']) {
      expect(error(code)).toMatchObject({ label: en[PART.misconfigured], advice: en[PART.misconfiguredAdvice] })
    }
  })

  it('offers no retry that could not help', () => {
    expect(error('missing-option').action).toBeUndefined()
    expect(error('unsupported').action).toBeUndefined()
    expect(error('origin-not-allowed').action).toBeUndefined()
  })

  it('says that the address of the page is not on the list', () => {
    expect(error('origin-not-allowed')).toMatchObject({ label: en[PART.unlisted], advice: en[PART.unlistedAdvice] })
  })

  it('never offers to reload a page that something was typed into', () => {
    const { label, advice, action } = describe({ state: 'expired' }, en, true)
    expect([label, advice, action]).toEqual([en[PART.expired], en[PART.copyAdvice], undefined])
  })

  it('says so while it waits for a busy service', () => {
    expect(describe({ state: 'loading', attempt: 1, waiting: true }, en, false).label).toBe(en[PART.waiting])
  })
})

/** The fixed behaviour of a test key's site; `work` is the difficulty in expected hashes. */
export type TestBehaviour = Readonly<{
  name: string
  work: number
  /** The endpoint that always refuses, and its code. */
  refuses?: {
    at: 'intents' | 'solve' | 'siteverify'
    code: 'solution-invalid' | 'already-redeemed' | 'intent-expired' | 'quota-exceeded' | 'rate-limited' | 'unavailable'
  }
}>

const TRIVIAL = 4096
/** Several seconds on a phone, about one on a desktop. */
const HARD = 16 * 1024 * 1024

/** The published test keys by their names in the site key (docs/testing.md). */
export const TEST_BEHAVIOURS: readonly TestBehaviour[] = [
  { name: 'TESTpass', work: TRIVIAL },
  { name: 'TESThard', work: HARD },
  { name: 'TESTfail', work: TRIVIAL, refuses: { at: 'solve', code: 'solution-invalid' } },
  { name: 'TESTspent', work: TRIVIAL, refuses: { at: 'siteverify', code: 'already-redeemed' } },
  { name: 'TESTexpired', work: TRIVIAL, refuses: { at: 'siteverify', code: 'intent-expired' } },
  { name: 'TESTquota', work: TRIVIAL, refuses: { at: 'siteverify', code: 'quota-exceeded' } },
  { name: 'TESTlimit', work: TRIVIAL, refuses: { at: 'intents', code: 'rate-limited' } },
  { name: 'TESTdown', work: TRIVIAL, refuses: { at: 'siteverify', code: 'unavailable' } },
]

/** The site of the page /try. It has no secret: only this deployment itself is its backend. */
export const TRY_BEHAVIOUR: TestBehaviour = { name: 'TESTtry', work: 256 * 1024 }

/** The 20 characters of a test key. */
const body = (name: string): string => name.padEnd(20, '0')

export const testSitekey = (behaviour: TestBehaviour): string => `tg_site_${body(behaviour.name)}`

const bySitekey = new Map([...TEST_BEHAVIOURS, TRY_BEHAVIOUR].map((behaviour) => [testSitekey(behaviour), behaviour]))

/** The behaviour of a test key; undefined for any other site key. */
export const testBehaviour = (sitekey: string): TestBehaviour | undefined => bySitekey.get(sitekey)

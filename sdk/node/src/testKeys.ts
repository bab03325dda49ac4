type Keys = Readonly<{ sitekey: string; secret: string }>

/**
 * Published keys that every service has unless its operator turned them off: never billed, valid for any hostname, and
 * public, so never for production. Each has a fixed behaviour.
 */
export const testKeys = {
  /** The real flow with trivial work. */
  pass: {
    sitekey: 'tg_site_TESTpass000000000000',
    secret: 'tg_secret_TESTpass000000000000000000000000000000000002GTYxj',
  },
  /** The real flow with seconds of work. */
  hard: {
    sitekey: 'tg_site_TESThard000000000000',
    secret: 'tg_secret_TESThard000000000000000000000000000000000001zZQUS',
  },
  /** The visitor's solution is always refused. */
  fail: {
    sitekey: 'tg_site_TESTfail000000000000',
    secret: 'tg_secret_TESTfail000000000000000000000000000000000002sLCLJ',
  },
  /** `verify` always rejects with `already-redeemed`. */
  spent: {
    sitekey: 'tg_site_TESTspent00000000000',
    secret: 'tg_secret_TESTspent00000000000000000000000000000000000P8sHR',
  },
  /** `verify` always rejects with `intent-expired`. */
  expired: {
    sitekey: 'tg_site_TESTexpired000000000',
    secret: 'tg_secret_TESTexpired000000000000000000000000000000000fKZD2',
  },
  /** `verify` always rejects with `quota-exceeded`. */
  quota: {
    sitekey: 'tg_site_TESTquota00000000000',
    secret: 'tg_secret_TESTquota00000000000000000000000000000000000wikNP',
  },
  /** `createIntent` always rejects with `rate-limited`. */
  limit: {
    sitekey: 'tg_site_TESTlimit00000000000',
    secret: 'tg_secret_TESTlimit0000000000000000000000000000000000022Pd6',
  },
  /** `verify` always rejects with `unavailable`. */
  down: {
    sitekey: 'tg_site_TESTdown000000000000',
    secret: 'tg_secret_TESTdown000000000000000000000000000000000003weP9X',
  },
} as const satisfies Record<string, Keys>

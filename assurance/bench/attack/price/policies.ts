import { type Signals, workFor } from '../../../../server/captcha/challenges/difficulty/work.ts'
import { BASE_WORK } from '../simulator/service.ts'

/** Weights of activity for which the service raises nothing. */
const CALM: Signals = {
  network: { doublings: 0, tier: 0 },
  subject: 1,
  siteNow: 0.1,
  siteUsual: 0.1,
  feedback: 0,
  list: null,
  hints: [],
}
const SHA256 = { kind: 'pow-sha256', fallback: 0 } as const

/** What a site can ask for with the default base difficulty, and when, with the expected hashes. From the service's own pricing. */
export function policies(): { name: string; work: number }[] {
  const site = { baseWork: BASE_WORK, test: undefined }
  const adaptive = (signals: Partial<Signals>): number =>
    workFor({ ...site, workMode: 'adaptive' }, { ...CALM, ...signals }, SHA256).work
  return [
    { name: 'adaptive, calm visitor', work: adaptive({}) },
    { name: 'adaptive, network raised once', work: adaptive({ network: { doublings: 1, tier: 0 } }) },
    { name: 'adaptive, network raised twice', work: adaptive({ network: { doublings: 2, tier: 0 } }) },
    { name: 'adaptive, site surge', work: adaptive({ siteNow: 100, siteUsual: 1 }) },
    { name: 'adaptive, network at its highest', work: adaptive({ network: { doublings: 3, tier: 0 } }) },
    { name: 'fixed', work: workFor({ ...site, workMode: 'fixed' }, CALM, SHA256).work },
    { name: 'attack mode', work: workFor({ ...site, workMode: 'attack' }, CALM, SHA256).work },
  ]
}

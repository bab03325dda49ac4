import { asOf, compute, identity, rates, sha256PerHash } from '../../server/contract/attackPrices.json'
import { FALLBACK_TIMES, MOST_WORK_BOUND, type SiteDifficulty } from '../../server/contract/sitePolicy.ts'
import { difficultyRange } from './solveTimes.ts'

const MILLION = 1_000_000

type Machine = { megahashes: number; usdPerHour: number }

/** The fastest way of a kind on a core of a cheap server. */
const server = (kind: string, times = 1): Machine => ({
  megahashes:
    times *
    Math.max(...rates.filter((rate) => rate.kind === kind && rate.on === 'server').map((rate) => rate.megahashes)),
  usdPerHour: compute.server.usdPerHour,
})
const SHA256_SERVER = server('sha256')
const HASHWX_SERVER = server('hashwx', sha256PerHash)
const SHA256_CARDS: Machine[] = compute.gpus.flatMap(({ card, usdPerHour }) =>
  rates
    .filter((rate) => rate.kind === 'sha256' && rate.on === 'gpu' && rate.way === card)
    .map(({ megahashes }) => ({ megahashes, usdPerHour })),
)

/** Dollars for a million challenges of so many expected hashes of SHA-256. */
const cost = ({ megahashes, usdPerHour }: Machine, work: number): number =>
  (work / (megahashes * 1e6) / 3600) * usdPerHour * MILLION

/** Of a million passes, at any difficulty. */
const ADDRESSES = (identity.bytesPerPass.value / 1e9) * identity.residential.usdPerGigabyte * MILLION

/** The date of the prices, as `2026-11-22`. */
export const PRICES_AS_OF: string = asOf

/** What a million passes cost an attacker in US dollars. `usually`: at the base difficulty; `most`: at the most that is asked. */
export type AttackPrice = { way: string; usually: number; most: number }

/** The ways to pass a policy, with the price of each. What cannot solve HashWX gets SHA-256, beyond a budget at twelve times the difficulty. */
export function attackPrices({
  challengeKind,
  ...policy
}: Pick<SiteDifficulty, 'baseWork' | 'workMode' | 'challengeKind'>): AttackPrice[] {
  const { usual, most } = difficultyRange(policy)
  const harder = (work: number) => Math.min(work * FALLBACK_TIMES, MOST_WORK_BOUND)
  const sha256 = {
    usual: challengeKind === 'hashwx' ? harder(usual) : usual,
    most: challengeKind === 'sha256' ? most : harder(most),
  }
  const row = (way: string, asked: typeof sha256, price: (work: number) => number): AttackPrice => ({
    way,
    usually: price(asked.usual),
    most: price(asked.most),
  })
  return [
    row('SHA-256 on a rented graphics card', sha256, (work) =>
      Math.min(...SHA256_CARDS.map((card) => cost(card, work))),
    ),
    row('SHA-256 on a cheap server', sha256, (work) => cost(SHA256_SERVER, work)),
    ...(challengeKind === 'sha256'
      ? []
      : [row('HashWX on a cheap server', { usual, most }, (work) => cost(HASHWX_SERVER, work))]),
    row('Addresses from a residential pool', sha256, () => ADDRESSES),
  ]
}

/**
 * Dollars for a million passes at the base difficulty by the cheapest way that is open to any number of passes. `withinBudget`: of
 * SHA-256 in place of HashWX, which a bot gets by saying that it cannot compute HashWX, until the deployment's budget is used up.
 */
export function botPrice({ challengeKind, ...policy }: Parameters<typeof attackPrices>[0]): {
  any: number
  withinBudget: number | null
} {
  const cheapest = (kind: typeof challengeKind) =>
    Math.min(...attackPrices({ ...policy, challengeKind: kind }).map(({ usually }) => usually))
  return challengeKind === 'auto'
    ? { any: cheapest('hashwx'), withinBudget: cheapest('sha256') }
    : { any: cheapest(challengeKind), withinBudget: null }
}

const DOLLARS = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' })
const PARTS_OF_A_DOLLAR = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  maximumSignificantDigits: 2,
})

/** A price with two significant digits: `$5.40`, `$0.014`. */
export const dollars = (price: number): string =>
  price < 1 ? PARTS_OF_A_DOLLAR.format(price) : DOLLARS.format(Number(price.toPrecision(2)))

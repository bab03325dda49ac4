import { asOf, compute, hashwx, identity, measured, usdPerEuro } from '../../server/contract/attackPrices.json'

const MILLION = 1_000_000

type Machine = { megahashes: number; usdPerHour: number }

const { usdPerHour } = compute.server
/** A core with its fastest instructions. */
const SHA256_SERVER: Machine = { megahashes: Math.max(...Object.values(measured.megahashesPerCore)), usdPerHour }
const HASHWX_SERVER: Machine = { megahashes: hashwx.megahashesPerCore * hashwx.sha256PerHash, usdPerHour }

/** Euros for a million challenges of so many expected hashes of SHA-256. */
const cost = ({ megahashes, usdPerHour }: Machine, work: number): number =>
  (((work / (megahashes * 1e6) / 3600) * usdPerHour) / usdPerEuro.value) * MILLION

/** What a million passes cost an attacker in euros, by what they pay for. `date`: of the prices, `2026-11-22`. */
export const ATTACK_PRICES: { date: string; ways: readonly { name: string; price: (work: number) => number }[] } = {
  date: asOf,
  ways: [
    {
      name: 'SHA-256 on a rented graphics card',
      price: (work) => Math.min(...compute.gpus.map((gpu) => cost(gpu, work))),
    },
    { name: 'SHA-256 on a cheap server', price: (work) => cost(SHA256_SERVER, work) },
    { name: 'HashWX on a cheap server', price: (work) => cost(HASHWX_SERVER, work) },
    {
      name: 'Addresses from a residential pool',
      price: () =>
        ((identity.bytesPerPass.value / 1e9) * identity.residential.usdPerGigabyte * MILLION) / usdPerEuro.value,
    },
  ],
}

const EUROS = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' })
const PARTS_OF_A_EURO = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR', maximumSignificantDigits: 2 })

/** A price with two significant digits: `€5.40`, `€0.014`. */
export const euros = (price: number): string =>
  price < 1 ? PARTS_OF_A_EURO.format(price) : EUROS.format(Number(price.toPrecision(2)))

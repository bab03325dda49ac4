import type { Limit, Rule } from '../limits/limiter.ts'
import { type Address, dotted, parseAddress } from './address.ts'

/** Family and length of a prefix that addresses are counted by. */
export type Prefix = 'v4/32' | 'v4/24' | 'v6/64' | 'v6/56' | 'v6/48' | 'v6/32'

function prefixesOf(address: Address | undefined): { prefix: Prefix; network: string }[] {
  if (address === undefined) return [{ prefix: 'v4/32', network: 'unknown' }]
  const { family, value } = address
  if (family === 4) {
    const text = dotted(value)
    return [
      { prefix: 'v4/32', network: text },
      { prefix: 'v4/24', network: `${text.slice(0, text.lastIndexOf('.'))}.0/24` },
    ]
  }
  const [first, second] = [Number(value >> 96n), Number((value >> 64n) & 0xffff_ffffn)]
  const hex = (group: number) => group.toString(16)
  const of32 = `${hex(first >>> 16)}:${hex(first & 0xffff)}`
  const of48 = `${of32}:${hex(second >>> 16)}`
  return [
    { prefix: 'v6/64', network: `${of48}:${hex(second & 0xffff)}::/64` },
    { prefix: 'v6/56', network: `${of48}:${hex(second & 0xff00)}::/56` },
    { prefix: 'v6/48', network: `${of48}::/48` },
    { prefix: 'v6/32', network: `${of32}::/32` },
  ]
}

/** The address of a client, as a peer or a forwarding header names it. Parsed at most once, when something asks. */
export class ClientAddress {
  readonly text: string
  #address: { value: Address | undefined } | undefined
  #networks: readonly { prefix: Prefix; network: string }[] | undefined

  constructor(text: string) {
    this.text = text
  }

  /** Undefined if the text is not an address. */
  get address(): Address | undefined {
    return (this.#address ??= { value: parseAddress(this.text) }).value
  }

  /** All networks of the address that are counted, the smallest first, in canonical form. What is not an address is one of its own. */
  get networks(): readonly { prefix: Prefix; network: string }[] {
    return (this.#networks ??= prefixesOf(this.address))
  }

  /** The network of one visitor: an IPv4 address or an IPv6 /64. `unknown` if it is not an address. */
  get network(): string {
    return this.networks[0]?.network ?? 'unknown'
  }

  /** A wider network, which names a provider's area and not a household: an IPv4 /24 or an IPv6 /48. */
  get area(): string | undefined {
    for (const { prefix, network } of this.networks) if (prefix === 'v4/24' || prefix === 'v6/48') return network
    return undefined
  }
}

/** How much wider a limit is for the larger networks that providers give to one customer: 256 and 65,536 /64s. */
const WIDER: Partial<Record<Prefix, { bits: number; times: number }>> = {
  'v6/56': { bits: 56, times: 4 },
  'v6/48': { bits: 48, times: 16 },
}

/**
 * A limit per client network. An IPv6 address takes a point of its /64, and one of its /56 and its /48, which have four
 * and sixteen times as many. `owner` is for a rule that counts for something else besides, such as a site.
 */
export function networkLimits(rule: Rule, { networks }: ClientAddress, owner = ''): Limit[] {
  return networks.flatMap(({ prefix, network }, i): Limit[] => {
    const key = owner === '' ? network : `${owner} ${network}`
    const wider = WIDER[prefix]
    if (i === 0) return [[rule, key]]
    return wider ? [[{ ...rule, name: `${rule.name}-${wider.bits}`, points: rule.points * wider.times }, key]] : []
  })
}

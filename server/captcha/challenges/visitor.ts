import type { IncomingHttpHeaders } from 'node:http'
import type { Listed, Visitor, VisitorCtx } from '../../accounts/access.ts'
import type { SiteFacts } from '../../accounts/sites/facts.ts'
import type { Hint } from '../../contract/hints.ts'
import type { Context } from '../../kit/context.ts'
import type { Keyring } from '../../kit/crypto/keyring.ts'
import type { ClientAddress } from '../../kit/http/client.ts'
import { hintsOfFacts, hintsOfHeaders, union } from './hints/declared.ts'
import { listedAt } from './networks/lists.ts'

/** The visitor of one request. What takes time is found out when something asks for it, once. */
class OfRequest implements Visitor {
  readonly origin: string | undefined
  readonly address: ClientAddress
  readonly mobile: boolean
  readonly #headers: IncomingHttpHeaders
  readonly #list: () => Listed | undefined
  #facts: readonly Hint[] | undefined
  #hints: readonly Hint[] | undefined
  #listed: { value: Listed | undefined } | undefined

  constructor(headers: IncomingHttpHeaders, address: ClientAddress, list: () => Listed | undefined) {
    this.origin = headers.origin
    this.address = address
    this.mobile = /Mobi|Android/i.test(headers['user-agent'] ?? '')
    this.#headers = headers
    this.#list = list
  }

  get facts(): readonly Hint[] {
    return (this.#facts ??= hintsOfFacts(this.#headers))
  }

  get hints(): readonly Hint[] {
    return (this.#hints ??= union(hintsOfHeaders(this.#headers), this.facts))
  }

  get listed(): Listed | undefined {
    return (this.#listed ??= { value: this.#list() }).value
  }
}

/** Looks at a request of the component at a site. */
export const visitorOf = (
  ctx: Pick<Context, 'resources'>,
  { headers, address }: { headers: IncomingHttpHeaders; address: ClientAddress },
  site: Pick<SiteFacts, 'networks'>,
): Visitor => new OfRequest(headers, address, () => listedAt(ctx, site, address.address))

const NETWORK = Buffer.from('network\0')
const AREA = Buffer.from('area\0')

const hashOf = ({ current }: Keyring, label: Buffer, text: string): Buffer =>
  Buffer.from(current.hmac(label, Buffer.from(text)).slice(0, 8), 'latin1')

/**
 * The network and the area around it as 8 bytes each of a keyed hash: equal ones are seen as equal, and no address is stored. What is
 * not an address has the area `unknown`.
 */
export const hashesOf = ({ keyring, visitor: { address } }: VisitorCtx): { network: Buffer; area: Buffer } => ({
  network: hashOf(keyring, NETWORK, address.network),
  area: hashOf(keyring, AREA, address.area ?? 'unknown'),
})

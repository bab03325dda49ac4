import type { IncomingMessage } from 'node:http'
import type { Asset } from './assets.ts'
import type { Counter } from './checkout.ts'
import type { History } from './history.ts'
import type { Page } from './layout.ts'
import type { Reports } from './reports.ts'

/** What the pages are served from. */
export type Shop = Counter & {
  readonly history: History
  readonly reports: Reports
  readonly sitekey: string
  /** Base address of Tollgate for the browser. */
  readonly tollgateUrl: string
  readonly sessionKey: string
  readonly assets: ReadonlyMap<string, Asset>
}

/** One request, as its page sees it. */
export type Visit = {
  readonly shop: Shop
  readonly request: IncomingMessage
  readonly path: string
  readonly query: URLSearchParams
  readonly session: string | undefined
}

/** An answer to the component. */
export type Json = { readonly status: number; readonly json: Readonly<Record<string, string>> }

type Handler = (visit: Visit) => Page | Json | Promise<Page | Json>

export type Route = { readonly GET?: Handler; readonly POST?: Handler }

import { randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { newNonce } from '../../test/support/client.ts'
import type { MadeSite } from '../../test/support/make.ts'
import { type Puzzles, solvePuzzles } from '../../test/support/solver.ts'
import type { History } from './history.ts'
import { type Reply, send } from './wire.ts'

const PAUSE_MS = 100
/** A refusal is quick, and a node that is away refuses at once. */
const BETWEEN_PURCHASES_MS = 5

/** One operation of a merchant. All its attempts have the same body, so that the service recognises a repetition. */
type Operation = { id: string; purchase: string; site: MadeSite; path: string; body: Record<string, unknown> }

/**
 * `pauseMs`: between two purchases of a client. `keyPerAttempt`: makes the mistake that the contract forbids, so that the
 * checker can be tested.
 */
export type MerchantOptions = { clients: number; pauseMs?: number; keyPerAttempt?: boolean }

/** Whether the service may have done what it was asked for: only a refusal says that it has not. */
const isAmbiguous = (reply: Reply | undefined) => reply === undefined || reply.status >= 500
const isPassing = (reply: Reply | undefined) => isAmbiguous(reply) || reply?.status === 429

const parse = (reply: Reply) => JSON.parse(reply.text) as Record<string, unknown>

/**
 * Merchants and their visitors, who buy at several sites through several entries of the service at once. Every request of a
 * merchant's backend is recorded. What was not answered is sent again with the same values until it is, as the documentation
 * asks for.
 */
export class Merchant {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 })
  readonly #stopped = new AbortController()
  readonly #unsettled = new Map<string, Operation>()
  readonly #acknowledged: Operation[] = []
  /** When each redemption was acknowledged, on the clock of `performance.now`. */
  readonly acknowledgements: number[] = []
  readonly #clients: Promise<void>[]
  readonly #history: History
  readonly #entries: () => readonly number[]
  readonly #sites: readonly MadeSite[]
  readonly #options: MerchantOptions

  /** `entries`: the ports at which the service is now. */
  constructor(
    history: History,
    entries: () => readonly number[],
    sites: readonly MadeSite[],
    options: MerchantOptions,
  ) {
    this.#history = history
    this.#entries = entries
    this.#sites = sites
    this.#options = options
    this.#clients = Array.from({ length: options.clients }, () => this.#buyUntilStopped())
  }

  /** Ends the load, then sends again what was not answered until it is. Returns what stayed unanswered. */
  async settle(seconds: number): Promise<number> {
    this.#stopped.abort()
    await Promise.all(this.#clients)
    const deadline = Date.now() + seconds * 1000
    while (this.#unsettled.size > 0 && Date.now() < deadline) {
      await inParallel([...this.#unsettled.values()], (operation) => this.#attempt(operation))
      await sleep(PAUSE_MS)
    }
    return this.#unsettled.size
  }

  /** Sends every acknowledged redemption once more, as a merchant does who lost the answer. */
  async replay(): Promise<void> {
    await inParallel(this.#acknowledged, (operation) => this.#attempt(operation))
    this.#agent.destroy()
  }

  async #buyUntilStopped(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      const purchase = randomUUID()
      const site = this.#sites[Math.floor(Math.random() * this.#sites.length)]
      if (site) await this.#buy(purchase, site)
      await sleep(this.#options.pauseMs ?? BETWEEN_PURCHASES_MS)
    }
  }

  async #buy(purchase: string, site: MadeSite, grant?: unknown): Promise<void> {
    const page = { action: 'checkout', hostname: 'shop.example' }
    const open = { ...page, nonce: newNonce(), ...(grant !== undefined && { trusted_grant_id: grant }) }
    const opened = await Promise.all(
      Array.from({ length: Math.random() < 0.25 ? 2 : 1 }, () => this.#insist(purchase, site, '/intents', open)),
    )
    const intent = opened.find((reply) => reply?.status === 200)
    if (intent?.status !== 200) return
    const intent_id = String(parse(intent)['intent_id'])
    const response = await this.#visit(purchase, site, intent_id)
    if (response === undefined) return
    const values = { ...page, intent_id, response }
    const redeem = (key: string) => this.#insist(purchase, site, '/siteverify', { ...values, idempotency_key: key })
    const key = newNonce()
    const chance = Math.random()
    // the same redemption twice at once, or another that wants the same intent
    const rivals = chance < 0.25 ? [redeem(key)] : chance < 0.4 ? [redeem(newNonce())] : []
    const replies = await Promise.all([redeem(key), ...rivals])
    const redeemed = replies.find((reply) => reply?.status === 200)
    if (!redeemed) return
    const { decision_id } = parse(redeemed)
    if (Math.random() < 0.5) await this.#report(purchase, site, decision_id)
    if (grant === undefined && Math.random() < 0.2) await this.#exempt(purchase, site, decision_id)
  }

  /** A grant of two uses, asked for twice at once, which three purchases want; some are revoked meanwhile. */
  async #exempt(purchase: string, site: MadeSite, decision_id: unknown): Promise<void> {
    const ask = () => this.#insist(purchase, site, '/grants', { decision_id, uses: 2 })
    const [grant] = await Promise.all([ask(), ask()])
    if (grant?.status !== 200) return
    const { grant_id } = parse(grant)
    const purchases = Array.from({ length: 3 }, () => this.#buy(randomUUID(), site, grant_id))
    if (Math.random() < 0.3) {
      await this.#insist(purchase, site, '/grants/revoke', { grant_id })
      purchases.push(this.#buy(randomUUID(), site, grant_id))
    }
    await Promise.all(purchases)
  }

  /** What the visitor's browser does. It stores nothing that can be lost, so it is tried again without a record. */
  async #visit(purchase: string, site: MadeSite, intent_id: string): Promise<string | undefined> {
    const { sitekey } = site
    const ask = (path: string, body: Record<string, unknown>) =>
      this.#insist(purchase, site, path, { sitekey, intent_id, ...body })
    const challenge = await ask('/challenge', {})
    if (challenge?.status !== 200) return undefined
    const puzzle = parse(challenge) as Puzzles & { kind: string; challenge: string; response?: string }
    // the intent was opened with a grant
    if (puzzle.kind === 'none') return puzzle.response
    const solved = await ask('/solve', { challenge: puzzle.challenge, solution: solvePuzzles(puzzle) })
    return solved?.status === 200 ? String(parse(solved)['response']) : undefined
  }

  /** An event twice at once, then one that supersedes it. */
  async #report(purchase: string, site: MadeSite, decision_id: unknown): Promise<void> {
    const event_id = randomUUID()
    const event = {
      decision_id,
      event_id,
      outcome: 'legitimate',
      business_type: 'order',
      occurred_at: Math.floor(Date.now() / 1000),
    }
    const send = () => this.#insist(purchase, site, '/feedback', event)
    const [first] = await Promise.all([send(), ...(Math.random() < 0.5 ? [send()] : [])])
    if (first?.status !== 200) return
    const correction = { ...event, event_id: randomUUID(), outcome: 'confirmed_abuse', supersedes_event_id: event_id }
    await this.#insist(purchase, site, '/feedback', correction)
  }

  /** Sends an operation until it is answered or the load ends; the rest is left to `settle`. */
  async #insist(
    purchase: string,
    site: MadeSite,
    path: string,
    body: Record<string, unknown>,
  ): Promise<Reply | undefined> {
    const id = `${path} ${nameOf(body)}`
    const operation: Operation = { id, purchase, site, path, body }
    for (;;) {
      const reply = await this.#attempt(operation)
      if (!isPassing(reply) || this.#stopped.signal.aborted) return reply
      await sleep(PAUSE_MS)
    }
  }

  async #attempt(operation: Operation): Promise<Reply | undefined> {
    const { id: op, purchase, site, path } = operation
    if (this.#options.keyPerAttempt && path === '/siteverify')
      operation.body = { ...operation.body, idempotency_key: newNonce() }
    const { body } = operation
    const isRecorded = path !== '/challenge' && path !== '/solve'
    const of = isRecorded
      ? this.#history.write({ kind: 'attempt', op, purchase, tenant: site.tenantId, site: site.siteId, path, body })
      : 0
    let reply: Reply | undefined
    try {
      const entries = this.#entries()
      const port = entries[Math.floor(Math.random() * entries.length)] ?? 0
      reply = await send(this.#agent, port, path, body, isRecorded ? site.secret : undefined)
      if (isRecorded) this.#history.write({ kind: 'answer', of, ms: Math.round(performance.now()), ...reply })
    } catch (error) {
      if (isRecorded) this.#history.write({ kind: 'lost', of, reason: (error as Error).message })
    }
    if (!isRecorded) return reply
    if (isAmbiguous(reply)) this.#unsettled.set(op, operation)
    else if (reply?.status !== 429) {
      this.#unsettled.delete(op)
      if (reply?.status === 200 && path === '/siteverify' && !this.#stopped.signal.aborted) {
        this.#acknowledged.push(operation)
        this.acknowledgements.push(performance.now())
      }
    }
    return reply
  }
}

const AT_ONCE = 8

/** The merchant's own random value in a request, by which the service recognises a repetition. */
function nameOf(body: Record<string, unknown>): string {
  const name = body['nonce'] ?? body['idempotency_key'] ?? body['event_id'] ?? body['decision_id'] ?? body['grant_id']
  return typeof name === 'string' ? name : randomUUID()
}

async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  const left = items.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of left) await work(item)
    }),
  )
}

import { setTimeout as sleep } from 'node:timers/promises'
import { createTestClient, type Reply, type TestClient } from '../../test/support/client.ts'
import type { History } from './history.ts'

const CLIENTS = 6
const PAUSE_MS = 50
/** How often a call is sent again that got no answer or 503, as the documentation asks for. */
const RETRY_MS = 200
/** After this many milliseconds a merchant gives up, which no failover takes. */
const PATIENCE_MS = 120_000

type Keys = { sitekey: string; secret: string }
type Fields = Record<string, string>

/** Nothing came back, or an answer that does not say whether it was done. */
const isAmbiguous = (reply: Reply | undefined) => reply === undefined || reply.status >= 500

/**
 * Merchants who redeem intents through both nodes until they are stopped, and repeat with the same key what was not
 * answered. The history has each attempt before it is sent and each answer.
 */
export class Load {
  readonly #clients: TestClient[]
  readonly #keys: Keys
  readonly #history: History
  readonly #merchants: Promise<void>[]
  readonly #redeemed: { fields: Fields; text: string }[] = []
  #isStopped = false

  constructor(urls: readonly string[], keys: Keys, history: History) {
    this.#clients = urls.map(createTestClient)
    this.#keys = keys
    this.#history = history
    this.#merchants = Array.from({ length: CLIENTS }, (_, i) => this.#redeemUntilStopped(i))
  }

  /** Waits until every redemption that was begun has its answer. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#merchants)
  }

  /** Sends acknowledged redemptions once more; returns the intents whose answer is another now. */
  async replay(count: number): Promise<string[]> {
    const changed: string[] = []
    for (const [i, { fields, text }] of this.#redeemed.slice(-count).entries()) {
      const reply = await this.#insist(fields, i)
      if (reply.status !== 200 || reply.text !== text) changed.push(`${fields['intent_id']}: ${reply.status}`)
    }
    return changed
  }

  async #redeemUntilStopped(first: number): Promise<void> {
    for (let turn = first; !this.#isStopped; turn++) {
      // what precedes a redemption stores nothing that is billed
      const earned = await this.#client(turn)
        .earn(this.#keys)
        .catch(() => undefined)
      // no node could check the solution
      const fields = earned?.['response'] === 'undefined' ? undefined : earned
      if (fields) await this.#redeem(fields, turn)
      await sleep(fields ? PAUSE_MS : RETRY_MS)
    }
  }

  async #redeem(fields: Fields, turn: number): Promise<void> {
    const intent = fields['intent_id'] ?? ''
    await this.#history.write({ kind: 'attempt', intent })
    const { status, text } = await this.#insist(fields, turn)
    await this.#history.write({ kind: 'answer', intent, status, text })
    if (status === 200) this.#redeemed.push({ fields, text })
  }

  async #insist(fields: Fields, turn: number): Promise<Reply> {
    for (let waited = 0; waited < PATIENCE_MS; waited += RETRY_MS) {
      const reply = await this.#client(turn + waited / RETRY_MS)
        .siteverify(this.#keys, fields)
        .catch(() => undefined)
      if (reply && !isAmbiguous(reply)) return reply
      await sleep(RETRY_MS)
    }
    throw new Error(`no answer in ${PATIENCE_MS} ms: ${fields['intent_id']}`)
  }

  #client(turn: number): TestClient {
    const client = this.#clients[turn % this.#clients.length]
    if (!client) throw new Error('there is no node')
    return client
  }
}

import type { Fault } from '../../testing/faults.ts'
import { expect, Failed } from '../check.ts'
import { type Kit, type Opened, summarize, times } from '../kit.ts'
import type { Page } from '../page.ts'
import { Unanswered } from '../visitor.ts'

/** An answer of the relay in the service's place. A backend that obeys `retry-after` gives up at once. */
export const refusal = (status: number, error: string, reaches = false): Fault => ({
  kind: 'answer',
  reaches,
  status,
  headers: { 'content-type': 'application/json', ...([402, 500].includes(status) ? {} : { 'retry-after': '60' }) },
  body: JSON.stringify({ error }),
})

/** Applies the faults to the next calls of the path, in order; later calls pass. Returns whether one has passed or comes late. */
export function spoilInTurn(kit: Kit, path: string, faults: readonly Fault[]): () => boolean {
  let next = 0
  let isAnswered = false
  kit.spoil(path, () => {
    const fault = faults[next++]
    isAnswered ||= fault === undefined || fault.kind === 'delay'
    return fault
  })
  return () => isAnswered
}

/**
 * Submits the form while the calls of /siteverify have these faults, again and again, until it succeeds. Nothing may be
 * executed before, and everything once; pages of failures must be recoverable, and the last one's own form must work.
 */
export async function recover(kit: Kit, faults: readonly Fault[]): Promise<void> {
  const opened = await kit.earn()
  const isAnswered = spoilInTurn(kit, '/siteverify', faults)
  const { value: last, executed } = await kit.counting(async () => {
    let page = await submitOnce(kit, opened, isAnswered)
    for (let tries = 1; page.status >= 300 && tries <= faults.length; tries++) {
      kit.expectRecoverable(page)
      const offered = tries === faults.length ? await kit.again(opened, page) : undefined
      page = offered ?? (await submitOnce(kit, opened, isAnswered))
    }
    kit.expectSuccess(page)
    return page
  }, 1)
  expect(executed === 1, `in all, the action was executed ${times(executed)}; the last answer was: ${summarize(last)}`)
  expectOneDecision(kit, opened)
}

/** @throws Failed if the action was executed without a success page, or without an answer of /siteverify */
async function submitOnce(kit: Kit, opened: Opened & { token: string }, isAnswered: () => boolean): Promise<Page> {
  const { value: page, executed } = await kit.counting(() => answered(kit, () => kit.submit(opened, opened)))
  const what = `the action was executed ${times(executed)}`
  expect(executed === 0 || isAnswered(), `${what} although every answer of /siteverify was a failure or was lost`)
  expect(executed <= (page.status < 300 ? 1 : 0), `${what}, the answer was: ${summarize(page)}`)
  return page
}

/** @throws Failed if the merchant does not answer this, but answers otherwise */
async function answered(kit: Kit, work: () => Promise<Page>): Promise<Page> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error
    kit.heal()
    if (await kit.isAlive()) throw new Failed(error.message)
    throw error
  }
}

export function expectOneDecision(kit: Kit, { widget }: Opened): void {
  const decisions = new Set(kit.redemptions(widget.intent).flatMap(({ answer }) => answer?.fields['decision_id'] ?? []))
  expect(decisions.size === 1, `the intent was redeemed ${times(decisions.size)}`)
}

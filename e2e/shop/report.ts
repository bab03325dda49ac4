import { type Outcome, type Tollgate, TollgateError } from '@tollgate/node'
import type { Action } from './fields.ts'
import type { Log } from './log.ts'
import { asRefusal, logRefusal } from './refusals.ts'
import type { Report, Reports } from './reports.ts'

type Desk = { readonly reports: Reports; readonly tollgate: Tollgate; readonly log: Log }

type Sale = { readonly attempt: string; readonly action: Action; readonly decisionId: string }

const businessTypes: Readonly<Record<Action, string>> = { checkout: 'order', signup: 'newsletter' }

/**
 * Reports the outcome of a decision to Tollgate, or corrects an earlier report. The event is stored before it is sent;
 * one that got no answer is sent again as it was before anything new is said. Saying the same twice says it once.
 */
export async function fileReport(desk: Desk, sale: Sale, outcome: Outcome): Promise<TollgateError | undefined> {
  const { attempt, action } = sale
  const latest = await desk.reports.findLatest(attempt)
  if (latest !== undefined && latest.accepted === undefined) {
    const refusal = await send(desk, sale, latest)
    if (refusal !== undefined) return refusal
  }
  if (latest?.outcome === outcome) return undefined
  const businessType = businessTypes[action]
  const report = await desk.reports.record(attempt, { outcome, businessType, supersedes: latest?.eventId })
  // Another click was quicker: its report goes first, and this one corrects it or says the same.
  return report === undefined ? fileReport(desk, sale, outcome) : send(desk, sale, report)
}

async function send(desk: Desk, { attempt, decisionId }: Sale, report: Report): Promise<TollgateError | undefined> {
  const { eventId, outcome, businessType, occurredAt, supersedes } = report
  const feedback = { decisionId, eventId, outcome, businessType, occurredAt, supersedesEventId: supersedes }
  const receipt = await desk.tollgate.feedback(feedback).catch(asRefusal)
  if (!(receipt instanceof TollgateError)) {
    await desk.reports.accept(eventId, receipt)
    return undefined
  }
  const { code, status } = receipt
  logRefusal(desk.log, receipt, { attempt, action: 'feedback' })
  // Only these are an answer to what was said. After all others the report stays, to be sent again.
  const isAnswered = (status === 409 || status === 422) && code !== 'unexpected-answer'
  if (isAnswered) await desk.reports.refuse(eventId, code)
  return receipt
}

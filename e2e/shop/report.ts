import type { Action } from './fields.ts'
import type { Log } from './log.ts'
import { logRefusal } from './refusals.ts'
import type { Report, Reports } from './reports.ts'
import type { Outcome, Refusal, Tollgate } from './tollgate.ts'

type Desk = { readonly reports: Reports; readonly tollgate: Tollgate; readonly log: Log }

type Sale = { readonly attempt: string; readonly action: Action; readonly decisionId: string }

const businessTypes: Readonly<Record<Action, string>> = { checkout: 'order', signup: 'newsletter' }

/**
 * Tells Tollgate what became of a decision, or corrects what was told before. The event is on record before it is sent;
 * one that got no answer is sent again as it was before anything new is said. Saying the same twice says it once.
 */
export async function fileReport(desk: Desk, sale: Sale, outcome: Outcome): Promise<Refusal | undefined> {
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

async function send(desk: Desk, { attempt, decisionId }: Sale, report: Report): Promise<Refusal | undefined> {
  const answer = await desk.tollgate.feedback({ decisionId, ...report })
  if ('value' in answer) {
    await desk.reports.accept(report.eventId, answer.value)
    return undefined
  }
  const { refusal } = answer
  logRefusal(desk.log, refusal, { attempt, action: 'feedback' })
  // Only these are an answer to what was said. After all others the report stays, to be sent again.
  if (refusal.status === 409 || refusal.status === 422) await desk.reports.refuse(report.eventId, refusal.code)
  return refusal
}

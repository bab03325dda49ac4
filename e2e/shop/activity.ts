import { formatOrder } from './catalogue.ts'
import type { Action } from './fields.ts'
import type { ActivityLine } from './history.ts'
import { type Html, html } from './html.ts'
import { drawMoment, drawSaid, layOut, type Page } from './layout.ts'
import type { Notice } from './refusals.ts'
import { drawReport } from './reporting.ts'
import type { Report } from './reports.ts'
import type { State } from './store.ts'

const states: Readonly<Record<State, string>> = {
  created: 'Form asked for',
  opened: 'Form shown',
  submitted: 'Sent',
  refused: 'Refused',
  completed: 'Done',
}

const actions: Readonly<Record<Action, string>> = { checkout: 'Order', signup: 'Sunday letter' }

/** Everything that the activity page shows. */
export type ActivityView = {
  readonly lines: readonly ActivityLine[]
  /** The latest report on each attempt that has one. */
  readonly reports: ReadonlyMap<string, Report>
  readonly notice: Notice | undefined
}

/** This session's own attempts, as the shop has them on record. */
export function drawActivity(view: ActivityView): Page {
  const said = drawSaid(view.notice)
  const main = html`
<section class="sheet wide">
  <h1>Your activity</h1>
  <p class="lead">Every form this browser has opened here, and what became of it.</p>
  ${said.markup}
  ${view.lines.length === 0 ? html`<p class="empty">Nothing yet. Once you open an order form, it is listed here.</p>` : drawLines(view)}
</section>`
  return layOut({ title: 'Your activity', main, here: '/activity', ...said.head })
}

function drawLines({ lines, reports }: ActivityView): Html {
  return html`<table class="activity">
    <thead><tr><th scope="col">When (UTC)</th><th scope="col">Form</th><th scope="col">State</th><th scope="col">Result</th><th scope="col">Intent, decision</th><th scope="col">Report</th></tr></thead>
    <tbody>${lines.map(
      (line) => html`
      <tr data-attempt="${line.id}" data-state="${line.state}">
        <td>${drawMoment(line.createdAt)}</td>
        <td>${actions[line.action]}</td>
        <td><span class="state state-${line.state}">${states[line.state]}</span></td>
        <td class="result">${drawResult(line)}</td>
        <td class="ids">${line.intentId !== undefined && html`<code>${line.intentId}</code>`}${line.decisionId !== undefined && html`<code>${line.decisionId}</code>`}</td>
        <td class="reports">${line.state === 'completed' && drawReport(line.id, reports.get(line.id))}</td>
      </tr>`,
    )}
    </tbody>
  </table>
  <form method="post" action="/exemptions/forget">
    <p class="fine">Did you ask us to skip the check on this device? This takes it back.</p>
    <div class="send"><button class="quiet" type="submit">Forget this device</button><p class="progress" role="status"></p></div>
  </form>`
}

function drawResult(line: ActivityLine): Html | string {
  if (line.state === 'completed') {
    const label = line.orderNumber === undefined ? 'Subscribed' : formatOrder(line.orderNumber)
    return html`<a href="/receipts/${line.id}">${label}</a>`
  }
  return line.refusalCode === undefined ? '–' : html`<code>${line.refusalCode}</code>`
}

import type { Outcome } from '@tollgate/node'
import { type Html, html } from './html.ts'
import { drawMoment } from './layout.ts'
import type { Report } from './reports.ts'

const outcomes: Readonly<Record<Outcome, string>> = {
  confirmed_abuse: 'Confirmed abuse',
  legitimate: 'Legitimate',
  unknown: 'Unknown',
}

/** The outcome that a form names, if it is one. */
export function readOutcome(value: string): Outcome | undefined {
  return value === 'confirmed_abuse' || value === 'legitimate' || value === 'unknown' ? value : undefined
}

/** What was said to Tollgate about an attempt's decision, and the form to say it or to correct it. */
export function drawReport(attempt: string, report: Report | undefined): Html {
  const [name, button] =
    report === undefined
      ? ['Report this decision', 'Send the report']
      : report.accepted
        ? ['Correct the report', 'Send the correction']
        : ['Report it again', 'Send it again']
  return html`${report !== undefined && drawState(report)}
  <details class="report">
    <summary>${name}</summary>
    <form method="post" action="/reports">
      <input type="hidden" name="attempt" value="${attempt}">
      <label>What became of it? <select name="outcome">
        ${Object.entries(outcomes).map(
          ([outcome, label]) =>
            html`<option value="${outcome}"${outcome === report?.outcome && html` selected`}>${label}</option>`,
        )}
      </select></label>
      <p class="hint">Here for the demonstration: in a real shop, reports are made in the back office.</p>
      <div class="send"><button class="quiet" type="submit">${button}</button><p class="progress" role="status"></p></div>
    </form>
  </details>`
}

function drawState({ outcome, accepted }: Report): Html {
  const told = accepted
    ? html`revision ${accepted.revision}, can be corrected until ${drawMoment(accepted.until)}`
    : 'not delivered yet'
  return html`<p class="reported"><strong>${outcomes[outcome]}</strong> <span class="hint">${told}</span></p>`
}

import { Button } from '../ui/form/Button.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { Code } from '../ui/text/Code.tsx'
import { OuterLink } from '../ui/text/Link.tsx'
import { Snippet } from '../ui/text/Snippet.tsx'

const SNIPPET = `POST /feedback
{"decision_id": "dec_…", "event_id": "<a UUID of yours>", "outcome": "confirmed_abuse",
 "business_type": "chargeback", "occurred_at": 1700000000}`

/** Shown instead of an empty list. `further`: searches further back. */
export function NoReports({
  narrowed,
  further,
  onClear,
}: {
  narrowed: boolean
  further: { busy: boolean; go: () => void } | undefined
  onClear: () => void
}) {
  if (further)
    return (
      <EmptyState
        title="No matches so far"
        action={
          <Button busy={further.busy} onClick={further.go}>
            Search further back
          </Button>
        }
      >
        None of the latest 20,000 reports in this period match.
      </EmptyState>
    )
  if (narrowed)
    return (
      <EmptyState title="No matches" action={<Button onClick={onClear}>Clear filters</Button>}>
        No report in this period matches all filters.
      </EmptyState>
    )
  return (
    <EmptyState title="No reports in this period" snippet={<Snippet name="Report feedback" text={SNIPPET} />}>
      Report how a decision turned out within 7 days, with the <Code>decision_id</Code> that you stored. This page then
      shows what slips through, and where. <OuterLink href="/docs/integration#feedback">How feedback works</OuterLink>
    </EmptyState>
  )
}

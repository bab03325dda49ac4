import { Button } from '../ui/Button.tsx'
import { Code } from '../ui/Code.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { OuterLink } from '../ui/Link.tsx'
import { Snippet } from '../ui/Snippet.tsx'

const SNIPPET = `POST /feedback
{"decision_id": "dec_…", "event_id": "<a UUID of yours>", "outcome": "confirmed_abuse",
 "business_type": "chargeback", "occurred_at": 1700000000}`

/** In the place of a list without rows. `further`: looks at what lies further back. */
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
        title="Nothing so far"
        action={
          <Button busy={further.busy} onClick={further.go}>
            Look further back
          </Button>
        }
      >
        None of the latest 20,000 reports in this period is one of these.
      </EmptyState>
    )
  if (narrowed)
    return (
      <EmptyState title="Nothing matches" action={<Button onClick={onClear}>Clear the filters</Button>}>
        No report of this period has all of that.
      </EmptyState>
    )
  return (
    <EmptyState title="No report in this period" snippet={<Snippet name="When you know more" text={SNIPPET} />}>
      Tell how a decision turned out within 7 days of its redemption, with the <Code>decision_id</Code> that you stored:
      it shows here what gets through, and where.{' '}
      <OuterLink href="/docs/integration#feedback">How feedback works</OuterLink>
    </EmptyState>
  )
}

import { Button } from '../ui/Button.tsx'
import { Code } from '../ui/Code.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { OuterLink } from '../ui/Link.tsx'
import { Snippet } from '../ui/Snippet.tsx'

const SNIPPET = `POST /grants
{"decision_id": "dec_…", "ttl": 900, "uses": 1}`

/** In the place of a list without rows. `further`: looks at what lies further back. */
export function NoGrants({
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
        None of the latest 20,000 grants in this period is one of these.
      </EmptyState>
    )
  if (narrowed)
    return (
      <EmptyState title="Nothing matches" action={<Button onClick={onClear}>Clear the filters</Button>}>
        No grant of this period has all of that.
      </EmptyState>
    )
  return (
    <EmptyState title="No grant in this period" snippet={<Snippet name="After a redemption" text={SNIPPET} />}>
      A visitor who has just passed can skip the next challenges: your backend asks for a grant after{' '}
      <Code>/siteverify</Code>, and sends it as <Code>trusted_grant_id</Code> when it opens the next intent.{' '}
      <OuterLink href="/docs/integration#grants">How grants work</OuterLink>
    </EmptyState>
  )
}

import { Button } from '../ui/form/Button.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { Code } from '../ui/text/Code.tsx'
import { OuterLink } from '../ui/text/Link.tsx'
import { Snippet } from '../ui/text/Snippet.tsx'

const SNIPPET = `POST /grants
{"decision_id": "dec_…", "ttl": 900, "uses": 1}`

/** Shown instead of an empty list. `further`: searches further back. */
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
        title="No matches so far"
        action={
          <Button busy={further.busy} onClick={further.go}>
            Search further back
          </Button>
        }
      >
        None of the latest 20,000 grants in this period match.
      </EmptyState>
    )
  if (narrowed)
    return (
      <EmptyState title="No matches" action={<Button onClick={onClear}>Clear filters</Button>}>
        No grant in this period matches all filters.
      </EmptyState>
    )
  return (
    <EmptyState title="No grants in this period" snippet={<Snippet name="Create a grant" text={SNIPPET} />}>
      A visitor who has just passed can skip further challenges: your backend creates a grant after{' '}
      <Code>/siteverify</Code>, and sends it as <Code>trusted_grant_id</Code> when it opens the next intent.{' '}
      <OuterLink href="/docs/integration#grants">How grants work</OuterLink>
    </EmptyState>
  )
}

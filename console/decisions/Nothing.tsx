import { useTenant } from '../frame/useTenant.ts'
import { Button, PageLink } from '../ui/form/Button.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'

/** Shown instead of an empty list. */
export function Nothing({ narrowed, live, onClear }: { narrowed: boolean; live: boolean; onClear: () => void }) {
  const { slug } = useTenant()
  if (narrowed)
    return (
      <EmptyState title="No matches" action={<Button onClick={onClear}>Clear filters</Button>}>
        No decisions in this period matches all filters. {live && 'New matches will appear here.'}
      </EmptyState>
    )
  return (
    <EmptyState
      title="No decisions in this period"
      action={
        <PageLink to="/o/$tenant/sites" params={{ tenant: slug }}>
          Go to your sites
        </PageLink>
      }
    >
      A decision is created when your backend redeems a visitor’s token at{' '}
      <code className="font-mono">/siteverify</code>. The Integrate page of a site shows how.{' '}
      {live && 'The first one will appear here.'}
    </EmptyState>
  )
}

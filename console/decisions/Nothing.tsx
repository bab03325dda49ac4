import { useTenant } from '../frame/useTenant.ts'
import { Button, PageLink } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'

/** In the place of a list without rows. */
export function Nothing({ narrowed, live, onClear }: { narrowed: boolean; live: boolean; onClear: () => void }) {
  const { slug } = useTenant()
  if (narrowed)
    return (
      <EmptyState title="Nothing matches" action={<Button onClick={onClear}>Clear the filters</Button>}>
        No decision of this period has all of that. {live && 'One that does will appear here.'}
      </EmptyState>
    )
  return (
    <EmptyState
      title="No decision in this period"
      action={
        <PageLink to="/o/$tenant/sites" params={{ tenant: slug }}>
          Go to your sites
        </PageLink>
      }
    >
      A decision is made when your backend redeems a visitor’s token at <code className="font-mono">/siteverify</code>.
      The page “Integrate” of a site shows how. {live && 'The first one will appear here by itself.'}
    </EmptyState>
  )
}

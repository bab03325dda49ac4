import { useTenant } from '../frame/useTenant.ts'
import { PageLink } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { counted } from '../ui/number.ts'
import type { UsageSeries } from './useSeries.ts'

/** Fewer could be somebody who is just trying it out. */
const ENOUGH = 3

/** The one mistake that makes the whole gate worthless, said loudly. */
export function NotVerifying({ totals, site }: { totals: UsageSeries['totals'] | undefined; site?: string }) {
  const { slug, may } = useTenant()
  if (!totals || totals.solved < ENOUGH || totals.redeemed > 0) return null
  return (
    <Notice
      tone="block"
      title="You are not calling /siteverify"
      action={
        site !== undefined &&
        may('integration.read') && (
          <PageLink to="/o/$tenant/sites/$site/integrate" params={{ tenant: slug, site }}>
            Check the integration
          </PageLink>
        )
      }
    >
      {counted(totals.solved, 'challenge was', 'challenges were')} solved in this time and no token was redeemed. Until
      your backend redeems it, a token proves nothing: anybody could send your form without one.
    </Notice>
  )
}

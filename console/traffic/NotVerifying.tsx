import { useTenant } from '../frame/useTenant.ts'
import { PageLink } from '../ui/form/Button.tsx'
import { Notice } from '../ui/page/Notice.tsx'
import { counted } from '../ui/text/format.ts'
import type { UsageSeries } from './useSeries.ts'

/** With fewer, someone may just be trying it out. */
const ENOUGH = 3

/** Warns that tokens are never redeemed, which leaves the forms unprotected. */
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
      {counted(totals.solved, 'challenge was', 'challenges were')} solved in this period, but no token was redeemed.
      Until your backend redeems tokens, anyone can submit your form without one.
    </Notice>
  )
}

import { lazy } from 'react'
import { SidebarLayout } from '../frame/SidebarLayout.tsx'
import { Badge } from './Badge.tsx'
import { StaffRail } from './StaffRail.tsx'

const Palette = lazy(async () => ({ default: (await import('./StaffPalette.tsx')).StaffPalette }))

const NAME = (
  <span className="flex items-center gap-2">
    Tollgate <Badge />
  </span>
)

const BANNERS = (
  <section aria-label="Notices">
    <p className="bg-ink px-4 py-1.5 text-12 text-bg lg:px-8">
      <strong>Staff:</strong> this is customer data. Your changes are recorded in their audit log with your reason.
    </p>
  </section>
)

/** Around every page of our own people: to be told from a tenant's at a glance. */
export function StaffShell() {
  return <SidebarLayout name={NAME} Sidebar={StaffRail} banners={BANNERS} Palette={Palette} />
}

import { Link } from '../ui/text/Link.tsx'

/** A link to the tenant's page for staff. */
export function TenantLink({ tenant }: { tenant: { id: string; name: string } | null }) {
  if (!tenant) return <span className="text-ink-2">none</span>
  return (
    // 24 pixels, also between the controls of a card
    <span className="inline-flex min-h-6 items-center">
      <Link to="/staff/tenants/$tenant" params={{ tenant: tenant.id }}>
        {tenant.name}
      </Link>
    </span>
  )
}

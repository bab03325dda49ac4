import { Link } from '../ui/text/Link.tsx'

/** A link to the tenant's page for staff. */
export function TenantLink({ tenant }: { tenant: { id: string; name: string } | null }) {
  if (!tenant) return <span className="text-ink-2">none</span>
  return (
    <Link to="/staff/tenants/$tenant" params={{ tenant: tenant.id }}>
      {tenant.name}
    </Link>
  )
}

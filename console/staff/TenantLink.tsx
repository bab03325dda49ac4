import { Link } from '../ui/text/Link.tsx'

/** A tenant by its name, leading to its page for our own people. */
export function TenantLink({ tenant }: { tenant: { id: string; name: string } | null }) {
  if (!tenant) return <span className="text-ink-2">none</span>
  return (
    <Link to="/staff/tenants/$tenant" params={{ tenant: tenant.id }}>
      {tenant.name}
    </Link>
  )
}

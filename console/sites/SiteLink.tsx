import { useTenant } from '../frame/useTenant.ts'
import { Link } from '../ui/Link.tsx'

/** A site by its name, leading to it. */
export function SiteLink({ id, name }: { id: string; name: string }) {
  const { slug } = useTenant()
  return (
    <Link to="/o/$tenant/sites/$site" params={{ tenant: slug, site: id }}>
      {name}
    </Link>
  )
}

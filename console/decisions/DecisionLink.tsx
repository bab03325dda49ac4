import { useTenant } from '../frame/useTenant.ts'
import { shortId } from '../ui/text/format.ts'
import { Link } from '../ui/text/Link.tsx'

/** A link to a decision, shown as the end of its id. */
export function DecisionLink({ id }: { id: string }) {
  const { slug } = useTenant()
  return (
    <Link to="/o/$tenant/decisions/$id" params={{ tenant: slug, id }}>
      <span className="font-mono text-12 whitespace-nowrap">
        <span className="sr-only">Decision </span>
        {shortId(id)}
      </span>
    </Link>
  )
}

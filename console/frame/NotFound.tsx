import { ButtonLink } from '../ui/Button.tsx'
import { Code } from '../ui/Code.tsx'

export function NotFound() {
  return (
    <>
      <title>Page not found · Tollgate</title>
      <h1 className="text-20 font-semibold">Page not found</h1>
      <p className="mt-1 text-ink-2">
        Nothing is at <Code>{location.pathname}</Code>.
      </p>
      <p className="mt-6">
        <ButtonLink href="/">Go to the start page</ButtonLink>
      </p>
    </>
  )
}

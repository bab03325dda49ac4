import { Playground } from '../sites/Playground.tsx'
import { PageLink } from '../ui/form/Button.tsx'

/** The playground without an account. */
export function Try() {
  return (
    <div className="grid gap-4">
      <title>Try it · Tollgate</title>
      <div>
        <h1 tabIndex={-1} className="text-24 font-semibold tracking-tight outline-none">
          Verify yourself, then break it
        </h1>
        <p className="mt-1 max-w-160 text-ink-2">
          Real calls to this deployment: the component in your browser, and a backend that this page plays. Break
          something to see which call is refused, and why.
        </p>
      </div>
      <Playground site={null} next={<PageLink to="/sign-up">Create an account</PageLink>} />
    </div>
  )
}

import { PageLink } from '../ui/Button.tsx'
import { Code } from '../ui/Code.tsx'
import { Page } from '../ui/Page.tsx'

/** Also for what belongs to others: they are not told that it exists. */
export function NotFound() {
  return (
    <main id="main" tabIndex={-1} className="mx-auto max-w-288 px-4 py-12 outline-none md:px-8">
      <Page
        title="Page not found"
        description={
          <>
            Nothing is at <Code>{location.pathname}</Code>, or it is not yours to see.
          </>
        }
      >
        <div>
          <PageLink to="/">Go to the start page</PageLink>
        </div>
      </Page>
    </main>
  )
}

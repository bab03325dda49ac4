import { PageLink } from '../ui/Button.tsx'
import { Code } from '../ui/Code.tsx'
import { Page } from '../ui/Page.tsx'
import { Anywhere } from './Bare.tsx'

/** Also for what belongs to others: they are not told that it exists. */
export function NotFound() {
  return (
    <Anywhere>
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
    </Anywhere>
  )
}

import { PageLink } from '../ui/form/Button.tsx'
import { Page } from '../ui/page/Page.tsx'
import { Code } from '../ui/text/Code.tsx'
import { Anywhere } from './Bare.tsx'

/** Also shown for what the person may not see, so that its existence is not revealed. */
export function NotFound() {
  return (
    <Anywhere>
      <Page
        title="Page not found"
        description={
          <>
            <Code>{location.pathname}</Code> doesn’t exist, or you don’t have access to it.
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

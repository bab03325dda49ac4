import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { PageLink } from '../ui/form/Button.tsx'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Page } from '../ui/page/Page.tsx'
import { Code } from '../ui/text/Snippet.tsx'
import { WithLayout } from './CenteredLayout.tsx'

/** Shown instead of a page that failed to load. */
export function ErrorPage({ error }: ErrorComponentProps) {
  const router = useRouter()
  const { reset } = useQueryErrorResetBoundary()
  const [retrying, setRetrying] = useState(false)
  // failed queries are repeated when the page is shown again
  useEffect(reset, [reset])
  const retry = async () => {
    setRetrying(true)
    await router.invalidate()
    setRetrying(false)
  }
  return (
    <WithLayout>
      <Page title="This page failed to load">
        <ErrorPanel error={error} retrying={retrying} onRetry={() => void retry()} />
      </Page>
    </WithLayout>
  )
}

/** Shown for unknown pages, and for those that the person may not see, so that their existence is not revealed. */
export function NotFound() {
  return (
    <WithLayout>
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
    </WithLayout>
  )
}

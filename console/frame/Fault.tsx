import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { FailurePanel } from '../ui/Failure.tsx'
import { Page } from '../ui/Page.tsx'

/** In the place of a page that could not be shown. */
export function Fault({ error }: ErrorComponentProps) {
  const router = useRouter()
  const { reset } = useQueryErrorResetBoundary()
  const [retrying, setRetrying] = useState(false)
  // the queries that failed are asked anew when the page is
  useEffect(reset, [reset])
  const retry = async () => {
    setRetrying(true)
    await router.invalidate()
    setRetrying(false)
  }
  return (
    <main id="main" tabIndex={-1} className="mx-auto max-w-288 px-4 py-12 outline-none md:px-8">
      <Page title="This page could not be shown">
        <FailurePanel error={error} retrying={retrying} onRetry={() => void retry()} />
      </Page>
    </main>
  )
}

import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { FailurePanel } from '../ui/page/Failure.tsx'
import { Page } from '../ui/page/Page.tsx'
import { Anywhere } from './Bare.tsx'

/** Shown instead of a page that failed to load. */
export function Fault({ error }: ErrorComponentProps) {
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
    <Anywhere>
      <Page title="This page failed to load">
        <FailurePanel error={error} retrying={retrying} onRetry={() => void retry()} />
      </Page>
    </Anywhere>
  )
}

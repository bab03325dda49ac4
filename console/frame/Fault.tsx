import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { FailurePanel } from '../ui/Failure.tsx'
import { Page } from '../ui/Page.tsx'
import { Anywhere } from './Bare.tsx'

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
    <Anywhere>
      <Page title="This page could not be shown">
        <FailurePanel error={error} retrying={retrying} onRetry={() => void retry()} />
      </Page>
    </Anywhere>
  )
}

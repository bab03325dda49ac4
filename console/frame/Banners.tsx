import { lazy, type ReactNode, Suspense } from 'react'
import { useIsEvaluation } from './overview.ts'
import { useTenant } from './useTenant.ts'

// only staff ever see it
const ViewAsBanner = lazy(async () => ({ default: (await import('../staff/ViewAsBanner.tsx')).ViewAsBanner }))

/** Notices above every page: viewing as a tenant, suspension, evaluation. */
export function Banners() {
  const { suspended, viewEndsAt } = useTenant()
  const isEvaluation = useIsEvaluation()
  return (
    <section aria-label="Notices">
      {viewEndsAt !== null && (
        <Suspense>
          <ViewAsBanner endsAt={viewEndsAt} />
        </Suspense>
      )}
      {suspended && (
        <Banner tone="block">
          <strong>This tenant is suspended:</strong> all verifications are refused until support restores it.
        </Banner>
      )}
      {isEvaluation && (
        <Banner tone="challenge">
          <strong>Evaluation:</strong> this is demo data.
        </Banner>
      )}
    </section>
  )
}

const TONES = { block: 'bg-block-bg text-block', challenge: 'bg-challenge-bg text-challenge' } as const

function Banner({ tone, children }: { tone: keyof typeof TONES; children: ReactNode }) {
  return <p className={`border-b border-line px-4 py-1.5 text-12 lg:px-8 ${TONES[tone]}`}>{children}</p>
}

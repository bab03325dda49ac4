import { ExternalLink } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { type TrialState, useTrial } from '../sites/trial.tsx'
import { Button, ButtonLink, PageLink } from '../ui/form/Button.tsx'
import { short } from '../ui/text/format.ts'

/** The component, which verifies the visitor of this page. */
export function LiveDemo({ shopUrl }: { shopUrl: string | null }) {
  const { state, solved, start, component, busy } = useTrial(null)
  const begin = useRef(() => void start())
  useEffect(() => begin.current(), [])
  return (
    <section aria-label="Live demo" className="rounded-panel border border-line bg-surface p-4">
      <p aria-live="polite" className="text-16 font-semibold">
        {textOf(state, solved)}
      </p>
      <div className="mt-3 h-26 overflow-clip">{component}</div>
      <div className="flex flex-wrap gap-3">
        <PageLink to="/try">Break it yourself</PageLink>
        {(state === 'idle' || state === 'refused') && (
          <Button busy={busy} onClick={() => void start()}>
            Try again
          </Button>
        )}
        {shopUrl !== null && (
          <ButtonLink href={shopUrl} target="_blank" rel="noopener">
            Open the demo shop
            <ExternalLink size={14} aria-hidden />
            <span className="sr-only">(in a new tab)</span>
          </ButtonLink>
        )}
      </div>
    </section>
  )
}

/** Says that the visitor is verified as soon as the component does, while its token is redeemed. */
function textOf(state: TrialState, solved: number | null): string {
  if (state === 'refused') return 'This page could not verify you.'
  if (solved !== null) return `This page just verified you in ${short(solved)} s.`
  return 'This page is verifying you…'
}

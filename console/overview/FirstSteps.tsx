import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { FORM_STEP, hasTried, STEPS } from '../onboarding/steps.ts'
import { PageLink } from '../ui/form/Button.tsx'
import { Panel } from '../ui/page/Page.tsx'
import type { FinishedSteps } from './api.ts'

const STEP_IDS = ['tenant', 'site', 'trial', 'form'] as const satisfies readonly (keyof typeof STEPS)[]

/** What each step is about. */
const ABOUT = {
  tenant: 'Your company or team.',
  site: 'You get a site key and a secret key.',
  trial: 'You verify yourself on the set-up page.',
  form: 'Your backend opens intents and redeems tokens.',
} satisfies Record<keyof typeof STEPS, string>

/** The steps of the set-up until the first completed verification. */
export function FirstSteps({ done }: { done: FinishedSteps }) {
  const { slug, may } = useTenant()
  const isTried = done.intent || hasTried(slug)
  const isDone = { tenant: true, site: done.site, trial: isTried, form: done.decision } satisfies Record<
    keyof typeof STEPS,
    boolean
  >
  const finished = Object.values(isDone).filter(Boolean).length
  return (
    <Panel
      title="Get started"
      description={`${finished} of ${STEP_IDS.length} steps done.`}
      actions={
        may('site.write') ? (
          <PageLink
            to="/welcome"
            search={{ tenant: slug }}
            {...(done.site && isTried && { hash: FORM_STEP })}
            look="primary"
          >
            Continue set-up
          </PageLink>
        ) : undefined
      }
    >
      <ol className="grid gap-3 sm:grid-cols-2">
        {STEP_IDS.map((id, index) => (
          <li key={id} className="flex items-start gap-3">
            <StepNumber done={isDone[id]}>{index + 1}</StepNumber>
            <div className="min-w-0">
              <p className="text-13/6 font-medium">
                {STEPS[id]}
                <span className="sr-only">: {isDone[id] ? 'done' : 'missing'}</span>
              </p>
              <p className="text-12 text-ink-2">{ABOUT[id]}</p>
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

function StepNumber({ done, children }: { done: boolean; children: ReactNode }) {
  return (
    <span
      aria-hidden
      className={`grid size-6 shrink-0 place-items-center rounded-full border text-12 font-semibold ${done ? 'border-pass bg-pass-bg text-pass' : 'border-line-strong text-ink-2'}`}
    >
      {done ? <Check size={14} /> : children}
    </span>
  )
}

import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { PageLink } from '../ui/form/Button.tsx'
import { Panel } from '../ui/page/Page.tsx'

type Done = { site: boolean; hostname: boolean; intent: boolean; decision: boolean }

const STEPS = [
  { is: 'site', title: 'Create a site', about: 'You get a site key and a secret key.' },
  { is: 'hostname', title: 'Allow a hostname', about: 'The host of the page with your form, or localhost.' },
  { is: 'intent', title: 'Open an intent', about: 'Your backend calls /intents before it renders the form.' },
  { is: 'decision', title: 'Redeem a token', about: 'Your backend calls /siteverify when the form is submitted.' },
] as const satisfies readonly { is: keyof Done; title: string; about: string }[]

/** The checklist until the first completed verification. */
export function FirstSteps({ done }: { done: Done }) {
  const { slug, may } = useTenant()
  const left = STEPS.filter(({ is }) => !done[is]).length
  return (
    <Panel
      title="Get started"
      description={`${STEPS.length - left} of ${STEPS.length} steps done.`}
      actions={
        !done.site && may('site.write') ? (
          <PageLink to="/o/$tenant/sites" params={{ tenant: slug }} search={{ create: true }} look="primary">
            Create site
          </PageLink>
        ) : (
          <PageLink to="/o/$tenant/sites" params={{ tenant: slug }} look="primary">
            Go to sites
          </PageLink>
        )
      }
    >
      <ol className="grid gap-3 sm:grid-cols-2">
        {STEPS.map(({ is, title, about }, index) => (
          <li key={is} className="flex items-start gap-3">
            <Mark done={done[is]}>{index + 1}</Mark>
            <div className="min-w-0">
              <p className="text-13/6 font-medium">
                {title}
                <span className="sr-only">: {done[is] ? 'done' : 'missing'}</span>
              </p>
              <p className="text-12 text-ink-2">{about}</p>
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

function Mark({ done, children }: { done: boolean; children: ReactNode }) {
  return (
    <span
      aria-hidden
      className={`grid size-6 shrink-0 place-items-center rounded-full border text-12 font-semibold ${done ? 'border-pass bg-pass-bg text-pass' : 'border-line-strong text-ink-2'}`}
    >
      {done ? <Check size={14} /> : children}
    </span>
  )
}

import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useMe } from '../session/me.ts'
import { signOut } from '../session/signOut.ts'
import { trpc } from '../trpc.ts'
import { Button, PageLink } from '../ui/form/Button.tsx'
import { Page } from '../ui/page/Page.tsx'
import { Code } from '../ui/text/Code.tsx'
import { whole } from '../ui/text/number.ts'
import { Reveal } from '../ui/text/Reveal.tsx'
import { Integrate } from './Integrate.tsx'
import { MakeSite } from './MakeSite.tsx'
import { MakeTenant } from './MakeTenant.tsx'
import { Step, type StepState } from './Step.tsx'

const route = getRouteApi('/own/welcome')

/** How often to check for the first verification. */
const POLL_MS = 2000

/** Four steps to the first verification. Progress is in the URL, so that a reload loses nothing. */
export function Onboarding() {
  const { tenant, site: siteId } = route.useSearch()
  const navigate = route.useNavigate()
  const { tenants } = useMe()
  const [secret, setSecret] = useState<string | null>(null)
  const site = useQuery(
    trpc.sites.get.queryOptions({ tenant: tenant ?? '', site: siteId ?? '' }, { enabled: Boolean(tenant && siteId) }),
  )
  const meter = useQuery(
    trpc.usage.meter.queryOptions(
      { tenant: tenant ?? '' },
      { enabled: Boolean(tenant && siteId), refetchInterval: ({ state }) => (state.data?.used ? false : POLL_MS) },
    ),
  )
  const used = meter.data?.used ?? 0
  const state = (done: boolean, open: boolean): StepState => (done ? 'done' : open ? 'current' : 'later')

  return (
    <Page
      title="Set up Tollgate"
      description="Four steps, about five minutes."
      actions={
        // without a tenant there is no other way to leave
        tenants.length === 0 ? <Button onClick={() => void signOut()}>Sign out</Button> : undefined
      }
    >
      <ol className="grid gap-3">
        <Step
          number={1}
          title="Name your tenant"
          state={state(tenant !== undefined, true)}
          done={
            <>
              URL: <Code>{`/o/${tenant ?? ''}`}</Code>
            </>
          }
        >
          <MakeTenant onMade={(slug) => void navigate({ search: { tenant: slug }, replace: true })} />
        </Step>
        <Step
          number={2}
          title="Create your first site"
          state={state(siteId !== undefined, tenant !== undefined)}
          done={
            site.data && (
              <>
                {site.data.name} on {site.data.hostnames.join(', ')}, site key <Code>{site.data.sitekey}</Code>
              </>
            )
          }
        >
          <MakeSite
            tenant={tenant ?? ''}
            onMade={({ id, secret }) => {
              setSecret(secret)
              void navigate({ search: { tenant, site: id }, replace: true })
            }}
          />
        </Step>
        <Step
          number={3}
          title="Add it to your form"
          state={state(used > 0, siteId !== undefined)}
          done="Your backend opens intents and redeems tokens."
        >
          {site.data && <Integrate sitekey={site.data.sitekey} hostname={site.data.hostnames[0] ?? 'localhost'} />}
        </Step>
        <Step
          number={4}
          title="Complete the first verification"
          state={state(used > 0, siteId !== undefined)}
          done={`${whole(used)} completed so far.`}
        >
          <output className="flex items-center gap-2.5 text-13 text-ink-2">
            <span aria-hidden className="size-2 rounded-full bg-challenge motion-safe:animate-pulse" />
            Waiting for your first verification… Submit your form once.
          </output>
        </Step>
      </ol>
      {tenant !== undefined && (
        <div>
          <PageLink to="/o/$tenant" params={{ tenant }} look={used > 0 ? 'primary' : 'secondary'}>
            {used > 0 ? 'Open the console' : 'Skip for now'}
          </PageLink>
        </div>
      )}
      <Reveal title="Your secret key" name="Secret key" secret={secret} onDone={() => setSecret(null)} />
    </Page>
  )
}

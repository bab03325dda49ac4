import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import type { SitePolicy } from '../../server/contract/sitePolicy.ts'
import { WithPermission } from '../frame/Permitted.tsx'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { Form, field } from '../ui/form/Form.tsx'
import { TypeToConfirm } from '../ui/overlay/Confirm.tsx'
import { lazyPart } from '../ui/overlay/lazyPart.ts'
import { toast } from '../ui/overlay/toast.ts'
import { ErrorNote, ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Panel, Skeleton } from '../ui/page/Page.tsx'
import { CopyText } from '../ui/text/Copy.tsx'
import { Time } from '../ui/text/Time.tsx'
import { useShadow, useSite, useSiteInput } from './api.ts'
import { PauseSite } from './Pause.tsx'
import { PolicyForm } from './PolicyForm.tsx'
import { ShadowPolicy } from './ShadowPolicy.tsx'
import { siteShape } from './siteShape.ts'

const AttackMode = lazyPart(async () => (await import('../incidents/AttackMode.tsx')).AttackMode)

/** The site's policy, attack mode, name, pause, ids and deletion. */
export function Settings() {
  const site = useSite()
  return (
    <WithPermission permission="settings.read" title="You don’t have access to settings">
      <Policy />
      {/* as high as the panel, so that what is below does not move */}
      <Suspense fallback={<div className="min-h-69.5 min-[360px]:min-h-58 sm:min-h-49 md:min-h-39" />}>
        <AttackMode site={site} />
      </Suspense>
      <SiteName key={site.id} name={site.name} />
      <PauseSite site={site} />
      <DeleteSite name={site.name} />
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-12 text-ink-2">
        <span>
          Created <Time at={site.createdAt} />
        </span>
        <CopyText text={site.id} name="site id" />
      </p>
    </WithPermission>
  )
}

function Policy() {
  const { data, error, isFetching, refetch } = useQuery(trpc.sites.policy.queryOptions(useSiteInput()))
  if (error && !data) return <ErrorPanel error={error} retrying={isFetching} onRetry={() => void refetch()} />
  return data ? <LoadedPolicy policy={data} /> : <LoadingPolicy />
}

/** Waits at first for the shadow policy, whose height is not known before: what is below it must not move while it is clicked. */
function LoadedPolicy({ policy }: { policy: SitePolicy }) {
  const shadow = useShadow(policy)
  const isWaiting = [shadow.shadow, shadow.comparison].some(
    // what failed is shown with the form
    ({ isLoading, failureCount }) => isLoading && failureCount === 0,
  )
  const [isShown, setShown] = useState(!isWaiting)
  if (!isWaiting && !isShown) setShown(true)
  if (!isShown) return <LoadingPolicy />
  return (
    <>
      <ShadowPolicy policy={policy} />
      <PolicyForm policy={policy} />
    </>
  )
}

const LoadingPolicy = () => (
  <Panel title="Difficulty">
    {/* as high as the form, so that the panel below does not move */}
    <div aria-busy className="min-h-132 min-[360px]:min-h-120 sm:min-h-103 xl:min-h-91">
      <Skeleton width="long" />
    </div>
  </Panel>
)

const nameShape = z.pick(siteShape, { name: true })

/** The form that renames the site. */
function SiteName({ name }: { name: string }) {
  const input = useSiteInput()
  const { whyNot } = useTenant()
  const form = useForm({ resolver: zodResolver(nameShape), values: { name } })
  const { isDirty } = form.formState
  const rename = useMutation(
    trpc.sites.rename.mutationOptions({
      meta: { inline: true },
      onSuccess: ({ name }) => {
        form.reset({ name })
        toast(`Site renamed to ${name}`)
      },
    }),
  )
  return (
    <Panel title="Name" description="For you and your team; visitors never see it.">
      <Form narrow onSubmit={form.handleSubmit(({ name }) => rename.mutate({ ...input, name }))}>
        <TextField label="Name" {...field(form, 'name')} />
        <ErrorNote error={rename.error} />
        <div>
          <Button
            type="submit"
            busy={rename.isPending}
            reason={whyNot('site.write') ?? (isDirty ? undefined : 'No changes to save.')}
          >
            Rename
          </Button>
        </div>
      </Form>
    </Panel>
  )
}

/** Deletes a site after its name is typed. Requires a recent sign-in. */
function DeleteSite({ name }: { name: string }) {
  const input = useSiteInput()
  const { whyNot } = useTenant()
  const navigate = useNavigate()
  const [confirming, setConfirming] = useState(false)
  const remove = useMutation(
    trpc.sites.delete.mutationOptions({
      meta: { inline: true },
      onSuccess: async () => {
        setConfirming(false)
        toast(`${name} deleted`)
        await navigate({ to: '/o/$tenant/sites', params: { tenant: input.tenant }, replace: true })
      },
    }),
  )
  return (
    <Panel
      title="Delete this site"
      description="Its keys and hostnames are deleted. Past decisions and usage are kept."
      actions={
        <Button
          look="danger"
          busy={remove.isPending}
          reason={whyNot('site.delete')}
          onClick={() => {
            remove.reset()
            setConfirming(true)
          }}
        >
          Delete site
        </Button>
      }
    >
      <TypeToConfirm
        open={confirming}
        onClose={() => setConfirming(false)}
        title={`Delete ${name}?`}
        action="Delete site"
        word={name}
        onConfirm={() => remove.mutate({ ...input, confirm: name })}
        mutation={remove}
      >
        Calls with its keys will be refused, open forms can’t be submitted, and grants end. You can’t undo this. To stop
        the site temporarily, pause it.
      </TypeToConfirm>
    </Panel>
  )
}

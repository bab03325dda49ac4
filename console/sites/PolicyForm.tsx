import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { LEVELS, type SitePolicy, siteDifficulty, sitePolicy } from '../../server/contract/sitePolicy.ts'
import { useHasGrants } from '../frame/deployment.ts'
import { useTenant } from '../frame/useTenant.ts'
import { queryClient, trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { Form } from '../ui/form/Form.tsx'
import { RadioGroup } from '../ui/form/RadioGroup.tsx'
import { UnsavedChanges } from '../ui/form/UnsavedChanges.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { Disclosure } from '../ui/page/Disclosure.tsx'
import { ErrorNote } from '../ui/page/ErrorNotice.tsx'
import { Panel } from '../ui/page/Page.tsx'
import { ActionPolicies } from './ActionPolicies.tsx'
import { useComparison, useSiteInput } from './api.ts'
import { levelOf, levelOptions } from './levels.ts'
import { PolicyEffect } from './PolicyEffect.tsx'
import { PolicyFacts } from './PolicyFacts.tsx'
import { fieldsOf, PolicyField } from './PolicyField.tsx'

/** The site's difficulty, limits and grants, saved together. */
export function PolicyForm({ policy }: { policy: SitePolicy }) {
  const input = useSiteInput()
  const { whyNot } = useTenant()
  const hasGrants = useHasGrants()
  const form = useForm<SitePolicy>({ resolver: zodResolver(sitePolicy), values: policy })
  const { errors, isDirty } = form.formState
  const draft = useWatch({ control: form.control }) as SitePolicy
  const { baseWork, workMode, challengeKind } = draft
  const comparison = useComparison(draft, policy)
  const save = useMutation(
    trpc.sites.setPolicy.mutationOptions({
      meta: { inline: true },
      onSuccess: (policy) => {
        queryClient.setQueryData(trpc.sites.policy.queryKey(input), policy)
        form.reset(policy)
        toast('Policy saved', { description: 'It takes effect within 10 seconds.' })
      },
    }),
  )
  const startShadow = useMutation(
    trpc.sites.setShadow.mutationOptions({
      onSuccess: (shadow) => {
        queryClient.setQueryData(trpc.sites.shadow.queryKey(input), shadow)
        // limits and grants are no part of a shadow policy, so their changes are still unsaved
        form.reset({ ...form.getValues(), ...siteDifficulty.parse(policy) }, { keepDefaultValues: true })
        toast('Shadow policy saved', {
          description: 'It is compared with the policy, and changes nothing for visitors.',
        })
      },
    }),
  )
  const { success: comparable, data: difficulty } = siteDifficulty.safeParse(draft)
  const differs = comparable && JSON.stringify(difficulty) !== JSON.stringify(siteDifficulty.parse(policy))
  const wrong = Object.keys(errors).length > 0
  return (
    <Form onSubmit={form.handleSubmit((policy) => save.mutate({ ...input, policy }))}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <Panel
          title="Difficulty"
          description="How hard the challenge is for a visitor’s browser. It rises by itself for busy networks and for signs of automation."
        >
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
            <RadioGroup
              label="Level"
              value={levelOf(draft)}
              onChange={(level) => {
                if (level === 'custom') return
                form.setValue('workMode', 'adaptive', { shouldDirty: true })
                form.setValue('baseWork', LEVELS[level].baseWork, { shouldDirty: true, shouldValidate: true })
              }}
              options={levelOptions(draft)}
            />
            {isDirty && (
              <div className="grid gap-1">
                <p className="text-13 font-medium">Effect on the challenges of the last 7 days, before you save</p>
                <PolicyEffect
                  label="Effect on the challenges of the last 7 days"
                  own={draft.actions}
                  comparison={comparison}
                />
              </div>
            )}
          </div>
        </Panel>
        <Disclosure title="Advanced" open={wrong}>
          <div className="grid items-start gap-6 xl:grid-cols-2">
            <div className="grid gap-4">
              {fieldsOf('challenge').map((name) => (
                <PolicyField key={name} name={name} form={form} />
              ))}
              <ActionPolicies
                control={form.control}
                register={form.register}
                errors={errors}
                baseWork={baseWork}
                seen={comparison.data?.actions.flatMap(({ action }) => action ?? []) ?? []}
              />
            </div>
            <PolicyFacts baseWork={baseWork} workMode={workMode} challengeKind={challengeKind} />
          </div>
          <Group title="Limits" about="Above these limits calls get 429 rate-limited, with the time to wait.">
            {fieldsOf('limits').map((name) => (
              <PolicyField key={name} name={name} form={form} />
            ))}
          </Group>
          <Group
            title="Grants"
            about={
              hasGrants
                ? 'A grant lets a visitor who has just passed skip further challenges.'
                : 'No effect: grants are off in this deployment. Its operator can turn them on with GRANTS=on.'
            }
          >
            {fieldsOf('grants').map((name) => (
              <PolicyField key={name} name={name} form={form} />
            ))}
          </Group>
        </Disclosure>
        <ErrorNote error={save.error} />
        <UnsavedChanges dirty={isDirty} />
        {/* stays in view while there is something to save */}
        <div
          className={`flex flex-wrap items-center gap-2 ${isDirty ? 'sticky bottom-0 z-10 border-t border-line bg-bg py-3' : ''}`}
        >
          <Button
            type="submit"
            look="primary"
            busy={save.isPending}
            reason={whyNot('settings.write') ?? (isDirty ? undefined : 'No changes to save.')}
          >
            Save policy
          </Button>
          {differs && (
            <Button
              busy={startShadow.isPending}
              reason={whyNot('settings.write')}
              onClick={() => startShadow.mutate({ ...input, difficulty })}
            >
              Run as shadow policy
            </Button>
          )}
          {isDirty && <Button onClick={() => form.reset(policy)}>Discard</Button>}
        </div>
      </div>
    </Form>
  )
}

function Group({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  return (
    <fieldset className="grid gap-3 border-t border-line pt-4">
      <legend className="sr-only">{title}</legend>
      <div>
        <p aria-hidden className="text-13 font-medium">
          {title}
        </p>
        <p className="text-12 text-ink-2">{about}</p>
      </div>
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">{children}</div>
    </fieldset>
  )
}

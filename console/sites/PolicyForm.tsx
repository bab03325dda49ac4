import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { POLICY, type SitePolicy, siteDifficulty, sitePolicy } from '../../server/contract/sitePolicy.ts'
import { useTenant } from '../frame/useTenant.ts'
import { AttackEffect } from '../incidents/AttackEffect.tsx'
import { queryClient, trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { Form } from '../ui/form/Form.tsx'
import { UnsavedChanges } from '../ui/form/UnsavedChanges.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { ErrorNote } from '../ui/page/ErrorNotice.tsx'
import { Panel } from '../ui/page/Page.tsx'
import { ActionPolicies } from './ActionPolicies.tsx'
import { useComparison, useSiteInput } from './api.ts'
import { PolicyEffect } from './PolicyEffect.tsx'
import { PolicyFacts } from './PolicyFacts.tsx'
import { fieldsOf, PolicyField } from './PolicyField.tsx'

const FIELDS = 'grid gap-4 sm:grid-cols-2'
const grants = fieldsOf('grants')

/** The site's difficulty, limits and grants, saved together. */
export function PolicyForm({ policy }: { policy: SitePolicy }) {
  const input = useSiteInput()
  const { whyNot } = useTenant()
  const form = useForm<SitePolicy>({ resolver: zodResolver(sitePolicy), values: policy })
  const { errors, isDirty } = form.formState
  const draft = useWatch({ control: form.control }) as SitePolicy
  const { baseWork, workMode, challengeKind, actions } = draft
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
  // attack mode is for all actions, this mode only for those without a difficulty of their own
  const attackHint = {
    attack: actions.length === 0 && (
      <>
        {POLICY.workMode.options.attack.hint} <AttackEffect site={input.site} />
      </>
    ),
  }
  return (
    <Form onSubmit={form.handleSubmit((policy) => save.mutate({ ...input, policy }))}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <Panel title="Challenge policy" description="How hard the challenge is for a visitor’s browser.">
          <div className="grid items-start gap-6 lg:grid-cols-2">
            <div className="grid gap-4">
              {fieldsOf('challenge').map((name) => (
                <PolicyField key={name} name={name} form={form} {...(name === 'workMode' && { hints: attackHint })} />
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
        </Panel>
        <Panel
          title="Effect on your visitors"
          description="What these settings would have asked of the visitors of the last 7 days, before you save them."
        >
          <PolicyEffect label="Effect on the visitors of the last 7 days" comparison={comparison} />
        </Panel>
        <Panel title="Limits" description="Above these limits calls get 429 rate-limited, with the time to wait.">
          <div className={FIELDS}>
            {fieldsOf('limits').map((name) => (
              <PolicyField key={name} name={name} form={form} />
            ))}
          </div>
        </Panel>
        <Panel
          title="Grants"
          description="A grant lets a visitor who has just passed skip further challenges. The deployment must enable grants too."
        >
          <div className="grid gap-4">
            {grants
              .filter((name) => POLICY[name].kind !== 'number')
              .map((name) => (
                <PolicyField key={name} name={name} form={form} />
              ))}
            <div className={`${FIELDS} lg:grid-cols-3`}>
              {grants
                .filter((name) => POLICY[name].kind === 'number')
                .map((name) => (
                  <PolicyField key={name} name={name} form={form} />
                ))}
            </div>
          </div>
        </Panel>
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

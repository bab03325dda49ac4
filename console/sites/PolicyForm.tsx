import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { type SitePolicy, siteDifficulty, sitePolicy, WORK_BOUNDS } from '../../server/contract/sitePolicy.ts'
import { useTenant } from '../frame/useTenant.ts'
import { AttackEffect } from '../incidents/AttackEffect.tsx'
import { queryClient, trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { Form } from '../ui/form/Form.tsx'
import { RadioGroup } from '../ui/form/RadioGroup.tsx'
import { Switch } from '../ui/form/Switch.tsx'
import { UnsavedChanges } from '../ui/form/UnsavedChanges.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { ErrorNote } from '../ui/page/ErrorNotice.tsx'
import { Panel } from '../ui/page/Page.tsx'
import { whole } from '../ui/text/format.ts'
import { ActionPolicies } from './ActionPolicies.tsx'
import { useComparison, useSiteInput } from './api.ts'
import { PolicyEffect } from './PolicyEffect.tsx'
import { PolicyFacts } from './PolicyFacts.tsx'

const MODES = {
  adaptive: {
    label: 'Adaptive',
    hint: 'The base difficulty, raised for busy networks and subjects and for signs of automation, and for everyone during traffic spikes.',
  },
  fixed: { label: 'Fixed', hint: 'The base difficulty for everyone, always.' },
  attack: { label: 'Under attack', hint: 'Maximum difficulty for everyone. Slow on phones – turn it off afterwards.' },
} satisfies Record<SitePolicy['workMode'], unknown>

const KINDS = {
  sha256: { label: 'SHA-256', hint: 'Works in every browser. Graphics cards compute it far faster than browsers do.' },
  auto: {
    label: 'HashWX where possible',
    hint: 'HashWX, which graphics cards compute hardly faster than browsers. Browsers without WebAssembly get SHA-256: equally hard for up to 2% of all visitors of this service, 12 times as hard beyond that.',
  },
  hashwx: {
    label: 'HashWX',
    hint: 'As above, but SHA-256 is always 12 times as hard. Visitors without WebAssembly wait long.',
  },
} satisfies Record<SitePolicy['challengeKind'], unknown>

const FIELDS = 'grid gap-4 sm:grid-cols-2'
const asNumber = { valueAsNumber: true } as const

/** The site's difficulty, limits and grants, saved together. */
export function PolicyForm({ policy }: { policy: SitePolicy }) {
  const input = useSiteInput()
  const { whyNot } = useTenant()
  const form = useForm<SitePolicy>({ resolver: zodResolver(sitePolicy), values: policy })
  const { errors, isDirty } = form.formState
  const draft = useWatch({ control: form.control }) as SitePolicy
  const { baseWork, workMode, challengeKind, grantsEnabled, actions } = draft
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
  const attackHint =
    actions.length > 0 ? (
      MODES.attack.hint
    ) : (
      <>
        {MODES.attack.hint} <AttackEffect site={input.site} />
      </>
    )
  return (
    <Form onSubmit={form.handleSubmit((policy) => save.mutate({ ...input, policy }))}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <Panel title="Challenge policy" description="How hard the challenge is for a visitor’s browser.">
          <div className="grid items-start gap-6 lg:grid-cols-2">
            <div className="grid gap-4">
              <Controller
                control={form.control}
                name="workMode"
                render={({ field }) => (
                  <RadioGroup
                    label="Mode"
                    value={field.value}
                    onChange={field.onChange}
                    options={{ ...MODES, attack: { ...MODES.attack, hint: attackHint } }}
                  />
                )}
              />
              <Controller
                control={form.control}
                name="challengeKind"
                render={({ field }) => (
                  <RadioGroup label="Kind of challenge" value={field.value} onChange={field.onChange} options={KINDS} />
                )}
              />
              <Controller
                control={form.control}
                name="refuseAutomation"
                render={({ field }) => (
                  <Switch
                    label="Refuse declared automation"
                    hint="Clients that name an automation tool, and browsers that say a program drives them, get 429 instead of a harder challenge. This includes your own browser tests."
                    checked={field.value}
                    onChange={field.onChange}
                  />
                )}
              />
              <TextField
                label="Base difficulty"
                hint={`${workMode === 'attack' ? 'No effect under attack. ' : ''}Expected hashes of SHA-256, ${whole(WORK_BOUNDS.min)} to ${whole(WORK_BOUNDS.max)}. 1,048,576 is the default.`}
                type="number"
                step={1}
                error={errors.baseWork?.message}
                {...form.register('baseWork', asNumber)}
              />
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
            <TextField
              label="Calls per second"
              hint="For each backend endpoint."
              type="number"
              error={errors.ratePerSecond?.message}
              {...form.register('ratePerSecond', asNumber)}
            />
            <TextField
              label="Burst"
              hint="Calls allowed at the same time."
              type="number"
              error={errors.rateBurst?.message}
              {...form.register('rateBurst', asNumber)}
            />
            <TextField
              label="Intents per subject"
              hint="In 10 minutes, for one account, address or card."
              type="number"
              error={errors.subjectLimit?.message}
              {...form.register('subjectLimit', asNumber)}
            />
            <TextField
              label="Invalid requests"
              hint="Per minute from one IPv4 address or IPv6 /64: unknown intents and wrong solutions. Other visitors are not affected."
              type="number"
              error={errors.networkLimit?.message}
              {...form.register('networkLimit', asNumber)}
            />
          </div>
        </Panel>
        <Panel
          title="Grants"
          description="A grant lets a visitor who has just passed skip further challenges. The deployment must enable grants too."
        >
          <div className="grid gap-4">
            <Controller
              control={form.control}
              name="grantsEnabled"
              render={({ field }) => (
                <Switch
                  label="Allow grants"
                  hint="Turning this off ends all active grants."
                  checked={field.value}
                  onChange={field.onChange}
                />
              )}
            />
            <div className={`${FIELDS} lg:grid-cols-3`}>
              <TextField
                label="Max lifetime"
                hint={grantsEnabled ? 'Seconds, 60 to 3,600.' : 'Seconds. No effect while grants are off.'}
                type="number"
                error={errors.grantMaxTtl?.message}
                {...form.register('grantMaxTtl', asNumber)}
              />
              <TextField
                label="Max uses"
                hint={grantsEnabled ? '1 to 10.' : 'No effect while grants are off.'}
                type="number"
                error={errors.grantMaxUses?.message}
                {...form.register('grantMaxUses', asNumber)}
              />
              <TextField
                label="Renewal"
                hint={
                  grantsEnabled
                    ? 'Seconds after a session’s last solved challenge in which it can renew its grant. At most 86,400 (24 h); 0 forbids renewal.'
                    : 'Seconds. No effect while grants are off.'
                }
                type="number"
                error={errors.grantRenewal?.message}
                {...form.register('grantRenewal', asNumber)}
              />
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

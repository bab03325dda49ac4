import { useMutation } from '@tanstack/react-query'
import { type SitePolicy, wordPolicyValue } from '../../server/contract/sitePolicy.ts'
import { useTenant } from '../frame/useTenant.ts'
import { queryClient, trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { ErrorNote } from '../ui/page/ErrorNotice.tsx'
import { Panel } from '../ui/page/Page.tsx'
import { whole } from '../ui/text/format.ts'
import { Time } from '../ui/text/Time.tsx'
import { useShadow, useSiteInput } from './api.ts'
import { PolicyEffect } from './PolicyEffect.tsx'

const modeOf = (mode: SitePolicy['workMode']) => wordPolicyValue('workMode', mode).toLowerCase()

/** The site's shadow policy with what it would have asked since it began; nothing if the site has none. */
export function ShadowPolicy({ policy }: { policy: SitePolicy }) {
  const input = useSiteInput()
  const { whyNot } = useTenant()
  const {
    shadow: { data: shadow },
    comparison,
  } = useShadow(policy)
  const end = () => queryClient.setQueryData(trpc.sites.shadow.queryKey(input), null)
  const discard = useMutation(
    trpc.sites.discardShadow.mutationOptions({
      onSuccess: () => {
        end()
        toast('Shadow policy discarded')
      },
    }),
  )
  const switchOn = useMutation(
    trpc.sites.setPolicy.mutationOptions({
      meta: { inline: true },
      onSuccess: (policy) => {
        queryClient.setQueryData(trpc.sites.policy.queryKey(input), policy)
        end()
        toast('Policy switched on', { description: 'It takes effect within 10 seconds.' })
      },
    }),
  )
  if (!shadow) return null
  const { difficulty, since } = shadow
  const actions = difficulty.actions.map(
    ({ action, baseWork, workMode }) => `${action} ${whole(baseWork)}, ${modeOf(workMode)}`,
  )
  return (
    <Panel
      title="Shadow policy"
      description={
        <>
          Compared with the policy since <Time at={since} />. Visitors do not notice it.
        </>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <p className="text-13">
          Base difficulty {whole(difficulty.baseWork)}, {modeOf(difficulty.workMode)},{' '}
          {wordPolicyValue('challengeKind', difficulty.challengeKind)}
          {actions.length > 0 && `; ${actions.join('; ')}`}.
        </p>
        <PolicyEffect label="Effect of the shadow policy" own={difficulty.actions} comparison={comparison} />
        <ErrorNote error={switchOn.error} />
        <div className="flex flex-wrap gap-2">
          <Button
            busy={switchOn.isPending}
            reason={whyNot('settings.write')}
            onClick={() => switchOn.mutate({ ...input, policy: { ...policy, ...difficulty } })}
          >
            Switch on
          </Button>
          <Button
            look="quiet"
            busy={discard.isPending}
            reason={whyNot('settings.write')}
            onClick={() => discard.mutate(input)}
          >
            Discard shadow policy
          </Button>
        </div>
      </div>
    </Panel>
  )
}

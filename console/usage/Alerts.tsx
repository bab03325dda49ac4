import { useMutation, useQuery } from '@tanstack/react-query'
import { ALERT_PERCENTS } from '../../server/contract/alerts.ts'
import { useTenant } from '../frame/useTenant.ts'
import { queryClient, trpc } from '../trpc.ts'
import { Checkbox } from '../ui/form/Checkbox.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { Panel, Skeleton } from '../ui/page/Page.tsx'

/** The percentages of the plan at which owners, admins and billing get an e-mail. */
export function Alerts() {
  const { slug, whyNot } = useTenant()
  const options = trpc.usage.alerts.queryOptions({ tenant: slug })
  const { data } = useQuery(options)
  const set = useMutation(
    trpc.usage.setAlerts.mutationOptions({
      onMutate: ({ percents }) => queryClient.setQueryData(options.queryKey, percents),
      onSuccess: (percents) =>
        toast(percents.length === 0 ? 'Usage e-mails turned off' : `E-mails will be sent at ${percents.join('%, ')}%`),
      onSettled: () => queryClient.invalidateQueries({ queryKey: options.queryKey }),
    }),
  )
  const reason = whyNot('usage.alert')
  return (
    <Panel
      title="E-mail when usage reaches"
      description="Sent to owners, admins and billing, at most once a month for each percentage."
    >
      <div className="flex min-h-8 flex-wrap gap-x-8 gap-y-3">
        {data ? (
          ALERT_PERCENTS.map((percent) => (
            <Checkbox
              key={percent}
              label={`${percent}%`}
              checked={data.includes(percent)}
              disabled={reason !== undefined}
              onChange={({ target: { checked } }) =>
                set.mutate({
                  tenant: slug,
                  percents: ALERT_PERCENTS.filter((one) => (one === percent ? checked : data.includes(one))),
                })
              }
            />
          ))
        ) : (
          <Skeleton width="long" />
        )}
      </div>
      {reason && <p className="mt-2 text-12 text-ink-2">{reason}</p>}
    </Panel>
  )
}

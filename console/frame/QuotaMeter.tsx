import { useQuery } from '@tanstack/react-query'
import { trpc } from '../trpc.ts'
import { Meter } from '../ui/chart/Meter.tsx'
import { whole } from '../ui/text/number.ts'
import { useTenant } from './useTenant.ts'

const REFRESH_MS = 30_000
const MONTH = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' })

/** Units used this month. Reserves its height while loading. */
export function QuotaMeter() {
  const { slug } = useTenant()
  const { data } = useQuery(trpc.usage.meter.queryOptions({ tenant: slug }, { refetchInterval: REFRESH_MS }))
  return (
    <div className="mt-2 min-h-11 px-2">
      {data && (
        <>
          <Meter label={`${MONTH.format(new Date(data.month))} quota`} value={data.used} max={data.included} />
          <p className="mt-1 text-11 text-ink-2">
            {whole(data.used)} of {whole(data.included)}
            {data.balance > 0 && ` (+${whole(data.balance)} prepaid)`}
          </p>
        </>
      )}
    </div>
  )
}

import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { refreshMe } from '../session/me.ts'
import { trpc } from '../trpc.ts'
import { elapsed } from '../ui/text/format.ts'

const SECOND_MS = 1000

/** Shown on every page while staff view a tenant as its admins do: the time left, and a button that ends the view. */
export function ViewAsBanner({ endsAt }: { endsAt: number }) {
  const { id, slug, name } = useTenant()
  const navigate = useNavigate()
  const left = useSecondsUntil(endsAt)
  const leave = async () => {
    // navigate first: without the view the tenant's pages are not found
    await navigate({ to: '/staff/tenants/$tenant', params: { tenant: id } })
    await refreshMe()
  }
  const end = useMutation(trpc.staff.tenants.endViewAs.mutationOptions({ onSuccess: leave }))
  const over = left <= 0
  useEffect(() => {
    if (over) void leave()
  })
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 bg-ink px-4 py-1.5 text-12 text-bg lg:px-8">
      <p>
        <strong>You are viewing as {name}:</strong> read-only, as an admin sees it. Recorded in their audit log.{' '}
        <span className="whitespace-nowrap tabular-nums">{elapsed(left)} left.</span>
      </p>
      <button
        type="button"
        aria-disabled={end.isPending}
        onClick={() => !end.isPending && end.mutate({ tenant: slug })}
        className="h-6 rounded-control border border-bg px-2.5 font-semibold outline-offset-2 focus-visible:outline-bg"
      >
        End now
      </button>
    </div>
  )
}

function useSecondsUntil(moment: number): number {
  const [now, setNow] = useState(() => Date.now() / 1000)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now() / 1000), SECOND_MS)
    return () => clearInterval(timer)
  }, [])
  return moment - now
}

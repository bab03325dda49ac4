import { useQuery } from '@tanstack/react-query'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { attackEffectOf } from './words.ts'

/** What attack mode would have done to the site's challenges of the last week; nothing for members who may not read the settings. */
export function AttackEffect({ site }: { site: string }) {
  const { slug, may } = useTenant()
  const mayRead = may('settings.read')
  const { data, isError } = useQuery(
    trpc.sites.attackEffect.queryOptions({ tenant: slug, site }, { enabled: mayRead, staleTime: 60_000 }),
  )
  if (!mayRead || (isError && data === undefined)) return null
  // until it is known, the room that it takes
  if (data === undefined) return <span className="invisible">{attackEffectOf({ slow: 0, refused: 0 })}</span>
  return attackEffectOf(data)
}

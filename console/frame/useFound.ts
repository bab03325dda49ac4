import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { CircleSlash, Flag, Globe, type LucideIcon, ShieldCheck, Ticket } from 'lucide-react'
import { useEffect, useState } from 'react'
import { trpc } from '../trpc.ts'
import { type Command, matches } from './CommandPalette.tsx'
import { useTenant } from './useTenant.ts'

/** Long enough that typing a name does not look up each of its letters. */
const PAUSE_MS = 150
const LEAST_TYPED = 3

const HIT_ICONS = {
  decision: ShieldCheck,
  intent: ShieldCheck,
  grant: Ticket,
  feedback: Flag,
  refusal: CircleSlash,
  site: Globe,
} as const satisfies Record<TenantHit['kind'], LucideIcon>

type TenantHit = inferOutput<typeof trpc.tenants.search>[number]

/** What the service finds for a typed id, reference or name. Secrets and addresses are never sent: URLs are logged. */
export function useFound(typed: string): Command[] {
  const { slug } = useTenant()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setText(typed), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const sendable = text.length >= LEAST_TYPED && !/tg_secret|@/.test(text)
  const sites = useQuery(trpc.sites.list.queryOptions({ tenant: slug, limit: 200 }))
  const known = new Set(sites.data?.rows.map(({ id }) => id))
  const { data } = useQuery(trpc.tenants.search.queryOptions({ tenant: slug, text }, { enabled: sendable }))
  if (!sendable || text !== typed) return []
  const open = ({ kind, id, label, at }: TenantHit) => {
    if (kind === 'site') return navigate({ to: '/o/$tenant/sites/$site', params: { tenant: slug, site: id } })
    if (kind === 'refusal')
      return navigate({
        to: '/o/$tenant/refusals',
        params: { tenant: slug },
        search: { request: label, from: at - 60, to: at + 60 },
      })
    return navigate({ to: '/o/$tenant/decisions/$id', params: { tenant: slug, id } })
  }
  // most sites are in the list anyway
  const listed = ({ kind, id, label, detail }: TenantHit) =>
    kind === 'site' && known.has(id) && matches({ label, also: detail }, text)
  return (data ?? [])
    .filter((hit) => !listed(hit))
    .map((hit) => ({
      id: `found-${hit.kind}-${hit.label}`,
      label: hit.label,
      also: hit.detail,
      icon: HIT_ICONS[hit.kind],
      found: true,
      run: () => void open(hit),
    }))
}

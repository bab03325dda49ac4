import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { ArrowRight, BookOpen, CircleSlash, Flag, Globe, type LucideIcon, ShieldCheck, Ticket } from 'lucide-react'
import { useEffect, useState } from 'react'
import { trpc } from '../trpc.ts'
import { type Command, matches } from './CommandPalette.tsx'
import { useDocsUrl } from './deployment.ts'
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
  hostname: Globe,
  'refused-host': CircleSlash,
  code: CircleSlash,
} as const satisfies Record<TenantHit['kind'], LucideIcon>

type TenantHit = inferOutput<typeof trpc.tenants.search>[number]

/** What is found for a typed text, and whether the service is still searching. Secrets and e-mails are not sent: URLs are logged. */
export function useFound(typed: string): { found: Command[]; searching: boolean } {
  const { slug } = useTenant()
  const docsUrl = useDocsUrl()
  const navigate = useNavigate()
  const page = usePage(typed)
  const [text, setText] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setText(typed), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const sendable = page === undefined && typed.length >= LEAST_TYPED && !/tg_secret|@/.test(typed)
  const sites = useQuery(trpc.sites.list.queryOptions({ tenant: slug, limit: 200 }))
  const known = new Set(sites.data?.rows.map(({ id }) => id))
  const asked = sendable && text === typed
  const { data, isFetching } = useQuery(trpc.tenants.search.queryOptions({ tenant: slug, text }, { enabled: asked }))
  if (page) return { found: [page], searching: false }
  if (!asked) return { found: [], searching: sendable }
  const params = { tenant: slug }
  const open = ({ kind, id, label, at }: TenantHit) => {
    switch (kind) {
      case 'site':
        return navigate({ to: '/o/$tenant/sites/$site', params: { ...params, site: id } })
      case 'hostname':
        return navigate({ to: '/o/$tenant/sites/$site/hostnames', params: { ...params, site: id } })
      case 'refusal':
        return navigate({
          to: '/o/$tenant/refusals',
          params,
          search: { request: label, refusal: label, from: at - 60, to: at + 60 },
        })
      case 'refused-host':
        return navigate({ to: '/o/$tenant/refusals', params, search: { period: '30d', hostname: id } })
      case 'code':
        return navigate({ to: '/o/$tenant/refusals', params, search: { period: '30d', code: id } })
      case 'decision':
      case 'intent':
      case 'grant':
      case 'feedback':
        return navigate({ to: '/o/$tenant/decisions/$id', params: { ...params, id } })
    }
  }
  // most sites are in the list anyway
  const listed = ({ kind, id, label, detail }: TenantHit) =>
    kind === 'site' && known.has(id) && matches({ label, also: detail }, text)
  const commands = (data ?? [])
    .filter((hit) => !listed(hit))
    .flatMap((hit): Command[] => {
      const { kind, id, label, detail } = hit
      const key = `found-${kind}-${id}-${label}`
      const command: Command = {
        id: key,
        label: TITLES[kind]?.(label) ?? label,
        also: detail,
        icon: HIT_ICONS[kind],
        found: true,
        run: () => void open(hit),
      }
      if (kind !== 'code' || docsUrl === null) return [command]
      const run = () => location.assign(`${docsUrl}/errors#${id}`)
      return [command, { id: `${key}-docs`, label: `Docs: ${label}`, also: detail, icon: BookOpen, found: true, run }]
    })
  return { found: commands, searching: isFetching }
}

/** What a result is called whose label does not say what it is. */
const TITLES: Partial<Record<TenantHit['kind'], (label: string) => string>> = {
  code: (code) => `Refusals: ${code}`,
  'refused-host': (host) => `Refusals: ${host}`,
  hostname: (host) => `Hostnames: ${host}`,
}

/** The page of a typed address: one of this console, or of a reference on any host. */
function usePage(typed: string): Command | undefined {
  const router = useRouter()
  if (!/[/.]/.test(typed) || !URL.canParse(withScheme(typed))) return undefined
  const { host, pathname, search, hash } = new URL(withScheme(typed))
  if (host !== location.host && !/^\/r\/[0-9a-f]{8}$/i.test(pathname)) return undefined
  if (pathname === '/') return undefined
  return {
    id: 'page',
    label: `Open ${pathname}`,
    icon: ArrowRight,
    found: true,
    run: () => router.history.push(pathname + search + hash),
  }
}

const withScheme = (typed: string): string =>
  typed.startsWith('/') ? location.origin + typed : /^https?:\/\//.test(typed) ? typed : `https://${typed}`

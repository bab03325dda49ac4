import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Manage } from './manage.ts'
import type { Remote, RemoteSite } from './state.ts'
import type { NetworkRule, Policy, State } from './stateFile.ts'

/** Hostnames that a new site can be created with; the others are added. */
const FIRST_HOSTNAMES = 50

/** One change. Each line says one thing that it does. */
export type Step = { mark: '+' | '~' | '-'; lines: string[]; run(): Promise<unknown> }

type Made = { id: string; secret: string }
type OnSecret = (owner: string, secret: string) => void
type Site = NonNullable<State['sites']>[string]

const show = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
const rule = ({ verdict, note }: NetworkRule): string => `${verdict}${note === '' ? '' : ` ${JSON.stringify(note)}`}`
/** The items that are not among the others. */
export const missing = <Item>(items: readonly Item[], others: readonly Item[]): Item[] =>
  items.filter((item) => !others.includes(item))

/** What makes the tenant be as the file says. Removals come last. */
export function planSteps(manage: Manage, state: State, remote: Remote, onSecret: OnSecret): Step[] {
  const steps = [
    ...Object.entries(state.sites ?? {}).flatMap(([slug, site]) =>
      siteSteps(manage, slug, site, remote.sites.get(slug), onSecret),
    ),
    ...(state.sites ? [...remote.sites] : []).flatMap(([slug, { id, name }]): Step[] =>
      Object.hasOwn(state.sites ?? {}, slug)
        ? []
        : [{ mark: '-', lines: [`site ${slug}`], run: () => manage.send('DELETE', `/sites/${id}`, { confirm: name }) }],
    ),
    ...alertSteps(manage, state, remote),
    ...webhookSteps(manage, state, remote, onSecret),
  ]
  return [...steps.filter(({ mark }) => mark !== '-'), ...steps.filter(({ mark }) => mark === '-')]
}

/** `has` is undefined for a site that is to be created. */
function siteSteps(manage: Manage, slug: string, site: Site, has: RemoteSite | undefined, onSecret: OnSecret): Step[] {
  const { name, hostnames, paused, policy = {}, networks } = site
  const steps: Step[] = []
  // of a new site it is known once the first step has run
  let id = has?.id ?? ''
  const add = (mark: Step['mark'], lines: string[], run: () => Promise<unknown>) =>
    steps.push({ mark, lines: lines.map((line) => `site ${slug}${line}`), run })
  const first = hostnames.slice(0, FIRST_HOSTNAMES)
  if (!has)
    add('+', [` ${JSON.stringify(name)} (${first.join(', ')})`], async () => {
      const made = await manage.send<Made>('POST', '/sites', { name, slug, hostnames: first })
      id = made.id
      onSecret(slug, made.secret)
    })
  else if (has.name !== name)
    add('~', [`: name ${has.name} → ${name}`], () => manage.send('PATCH', `/sites/${id}`, { name }))

  for (const hostname of missing(hostnames, has?.hostnames ?? first))
    add('+', [`: hostname ${hostname}`], () => manage.send('POST', `/sites/${id}/hostnames`, { hostname }))
  for (const hostname of missing(has?.hostnames ?? [], hostnames))
    add('-', [`: hostname ${hostname}`], () => manage.send('DELETE', `/sites/${id}/hostnames/${hostname}`))

  const differing = Object.keys(policy).filter(
    (field) => !has || !isDeepStrictEqual(policy[field], has.policy?.[field]),
  )
  if (differing.length > 0)
    add(
      has ? '~' : '+',
      differing.map(
        (field) => `: policy.${field} ${has ? `${show(has.policy?.[field])} → ` : ''}${show(policy[field])}`,
      ),
      async () => {
        const now = await manage.get<Policy>(`/sites/${id}/policy`)
        await manage.send('PUT', `/sites/${id}/policy`, { policy: { ...now, ...policy } })
      },
    )

  const path = () => `/sites/${id}/networks`
  const former = has?.networks ?? []
  for (const { network, verdict, note } of networks ?? []) {
    const body = { network, verdict, note }
    const before = former.find((other) => other.network === network)
    if (!before) add('+', [`: network ${network} ${rule(body)}`], () => manage.send('POST', path(), body))
    else if (rule(before) !== rule(body))
      add('~', [`: network ${network} ${rule(before)} → ${rule(body)}`], () => manage.send('PUT', path(), body))
  }
  for (const network of missing(
    networks ? former.map(({ network }) => network) : [],
    (networks ?? []).map(({ network }) => network),
  ))
    add('-', [`: network ${network}`], () => manage.send('DELETE', path(), { network }))

  if (paused !== undefined && paused !== (has?.paused ?? false))
    add('~', [`: paused ${!paused} → ${paused}`], () =>
      manage.send('POST', `/sites/${id}/${paused ? 'pause' : 'resume'}`),
    )
  return steps
}

function alertSteps(manage: Manage, { alerts }: State, remote: Remote): Step[] {
  if (!alerts || isDeepStrictEqual(alerts, remote.alerts)) return []
  const run = () => manage.send('PUT', '/usage/alerts', { percents: alerts })
  return [{ mark: '~', lines: [`alerts ${show(remote.alerts)} → ${show(alerts)}`], run }]
}

function webhookSteps(manage: Manage, { webhooks }: State, remote: Remote, onSecret: OnSecret): Step[] {
  if (!webhooks) return []
  const former = remote.webhooks ?? []
  // two that run at once create each webhook once, because they have read the same list
  const keyOf = (body: object) =>
    createHash('sha256')
      .update(JSON.stringify([body, former.map(({ id }) => id)]))
      .digest('hex')
  const changed = webhooks.flatMap(({ url, types, enabled }): Step[] => {
    const has = former.find((other) => other.url === url)
    const lines = Object.entries({ types, enabled })
      .filter(([field, value]) => has && !isDeepStrictEqual(value, has[field as 'types']))
      .map(([field, value]) => `webhook ${url}: ${field} ${show(has?.[field as 'types'])} → ${show(value)}`)
    if (has)
      return lines.length === 0
        ? []
        : [{ mark: '~', lines, run: () => manage.send('PATCH', `/webhooks/${has.id}`, { types, enabled }) }]
    const create = async () => {
      const made = await manage.send<Made>('POST', '/webhooks', { url, types }, keyOf({ url, types }))
      onSecret(`webhook ${url}`, made.secret)
      if (!enabled) await manage.send('PATCH', `/webhooks/${made.id}`, { enabled })
    }
    return [{ mark: '+', lines: [`webhook ${url} (${types.join(', ')})`], run: create }]
  })
  const removed = former
    .filter(({ url }) => !webhooks.some((other) => other.url === url))
    .map(
      ({ id, url }): Step => ({
        mark: '-',
        lines: [`webhook ${url}`],
        run: () => manage.send('DELETE', `/webhooks/${id}`),
      }),
    )
  return [...changed, ...removed]
}

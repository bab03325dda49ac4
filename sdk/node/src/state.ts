import { TollgateError } from './errors.ts'
import type { Manage } from './manage.ts'
import { sorted } from './schema.ts'
import type { NetworkRule, Policy, State, Webhook } from './stateFile.ts'

export type RemoteSite = {
  id: string
  name: string
  paused: boolean
  hostnames: string[]
  /** Undefined: not read. */
  policy?: Policy | undefined
  networks?: NetworkRule[] | undefined
}

export type RemoteWebhook = Webhook & { id: string }

/** What the tenant has, as far as it was read. */
export type Remote = {
  /** By slug. */
  sites: Map<string, RemoteSite>
  alerts?: number[] | undefined
  webhooks?: RemoteWebhook[] | undefined
}

/** Reads what the file describes; without a file, all of the sites. */
export async function readRemote(manage: Manage, file?: State): Promise<Remote> {
  const { sites, alerts, webhooks } = file ?? { sites: {} }
  const found = new Map<string, RemoteSite>()
  if (sites)
    for (const { slug, ...site } of await manage.list<RemoteSite & { slug: string }>('/sites')) {
      const wanted = file ? sites[slug] : { policy: true, networks: true }
      found.set(slug, {
        ...site,
        ...(wanted?.policy && { policy: await manage.get<Policy>(`/sites/${site.id}/policy`) }),
        ...(wanted?.networks && { networks: await manage.list<NetworkRule>(`/sites/${site.id}/networks`) }),
      })
    }
  return {
    sites: found,
    ...(alerts && { alerts: (await manage.get<{ rows: number[] }>('/usage/alerts')).rows }),
    ...(webhooks && { webhooks: (await manage.list<RemoteWebhook>('/webhooks')).map(withSortedTypes) }),
  }
}

const withSortedTypes = (webhook: RemoteWebhook): RemoteWebhook => ({ ...webhook, types: sorted(webhook.types) })

/** Everything that the key may read, as a file has it; `notes` say what it may not. */
export async function exportState(manage: Manage): Promise<{ state: State; notes: string[] }> {
  const { sites } = await readRemote(manage)
  const state: State = {
    sites: Object.fromEntries(
      [...sites].map(([slug, { name, hostnames, paused, policy, networks = [] }]) => [
        slug,
        {
          name,
          hostnames,
          ...(paused && { paused }),
          policy,
          networks: networks.map(({ network, verdict, note }) => ({ network, verdict, note })),
        },
      ]),
    ),
  }
  const notes: string[] = []
  for (const part of [{ alerts: [] }, { webhooks: [] }])
    try {
      const { alerts, webhooks } = await readRemote(manage, part)
      if (alerts) state.alerts = alerts
      if (webhooks) state.webhooks = webhooks.map(({ url, types, enabled }) => ({ url, types, enabled }))
    } catch (error) {
      if (!(error instanceof TollgateError && (error.status === 403 || error.status === 404))) throw error
      notes.push(`The file has no ${Object.keys(part).join()}: ${error.message}`)
    }
  return { state, notes }
}

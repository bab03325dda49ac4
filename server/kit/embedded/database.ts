import type { Cluster } from './open.ts'

/** The roles of the service's database. `owner` creates and changes the tables; the service runs as `service`. */
const ROLES = { owner: 'tollgate_owner', service: 'tollgate_service' } as const

/** Connection strings of one database, for the role that owns it and for the one that the service runs as. */
export type DatabaseUrls = { owner: string; service: string }

/** The service's database, with its roles; creates what is missing. `name`: tests have several. */
export async function openDatabase(
  cluster: Pick<Cluster, 'url' | 'createRole' | 'createDatabase'>,
  name = 'tollgate',
): Promise<DatabaseUrls> {
  for (const role of Object.values(ROLES)) await cluster.createRole(role)
  await cluster.createDatabase(name, ROLES.owner)
  return { owner: cluster.url(name, ROLES.owner), service: cluster.url(name, ROLES.service) }
}

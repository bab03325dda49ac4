import { incidentTitle } from '../../server/contract/incidentTitle.ts'
import type { Incident } from './words.ts'

/** `Forged tokens on Storefront`. */
export const titleOf = ({
  site,
  ...incident
}: Pick<Incident, 'kind' | 'cause' | 'site' | 'action' | 'hostname'>): string =>
  incidentTitle({ ...incident, site: site.name ?? 'a deleted site' })

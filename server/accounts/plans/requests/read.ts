import type { QuotaRequest } from '../../../../prisma/client/client.ts'
import type { QuotaRequestState } from '../../../../prisma/client/enums.ts'
import { seconds } from '../../../kit/db/clock.ts'
import type { Db } from '../../../kit/db/transact.ts'

/** A tenant's request for units as its members see it, without the people of staff. */
export type QuotaRequestRow = {
  id: string
  /** A month. */
  units: number
  reason: string
  /** Unix seconds. */
  createdAt: number
  state: QuotaRequestState
  /** Null while it waits. `granted`: units a month that were approved. */
  answer: { text: string; granted: number | null; at: number } | null
}

export const toRow = (request: QuotaRequest): QuotaRequestRow => {
  const { id, units, reason, createdAt, state, granted, answer, answeredAt } = request
  return {
    id,
    units: Number(units),
    reason,
    createdAt: seconds(createdAt.getTime()),
    state,
    answer: answeredAt && {
      text: answer ?? '',
      granted: granted === null ? null : Number(granted),
      at: seconds(answeredAt.getTime()),
    },
  }
}

/** The tenant's latest request for units, which waits or was answered. */
export async function latestRequest({ prisma }: Db, tenant: { id: string }): Promise<QuotaRequestRow | null> {
  const request = await prisma.quotaRequest.findFirst({
    where: { tenantId: tenant.id },
    orderBy: { createdAt: 'desc' },
  })
  return request && toRow(request)
}

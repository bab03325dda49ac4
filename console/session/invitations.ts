import { useQuery } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { trpc } from '../trpc.ts'

export type Offer = inferOutput<typeof trpc.members.invitation>

/** An invitation, for anyone who has its link. */
export const useInvitation = (id: string) => useQuery(trpc.members.invitation.queryOptions({ id }))

/** The invitation to which `next` leads after signing in; undefined if it leads elsewhere, and while loading. */
export function useNextInvitation(next: string | undefined): Offer | undefined {
  const id = /^\/invite\/([0-9a-f-]{36})$/.exec(next ?? '')?.[1]
  return useQuery(trpc.members.invitation.queryOptions({ id: id ?? '' }, { enabled: id !== undefined })).data
}

import { useInfiniteQuery } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { useTenant } from '../frame/useTenant.ts'
import { PAGED, trpc } from '../trpc.ts'

export type Member = inferOutput<typeof trpc.members.list>['rows'][number]
export type Invitation = inferOutput<typeof trpc.members.invitations>['rows'][number]

export function useMembers() {
  const { slug } = useTenant()
  return useInfiniteQuery(trpc.members.list.infiniteQueryOptions({ tenant: slug }, PAGED))
}

export function useInvitations() {
  const { slug } = useTenant()
  return useInfiniteQuery(trpc.members.invitations.infiniteQueryOptions({ tenant: slug }, PAGED))
}

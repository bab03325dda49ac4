import { TRPCError } from '@trpc/server'
import { admitMember, type MemberCtx, type UserCtx } from '../accounts/access.ts'
import { may, type Permission, whyNot } from '../contract/permissions.ts'

/**
 * The context of a member whose role has the permission. For others the tenant does not exist. Someone who only views as a
 * member writes nothing. Throws.
 */
export async function admitTo(
  user: UserCtx | undefined,
  tenant: string,
  { permission, writes = false }: { permission: Permission; writes?: boolean },
): Promise<MemberCtx> {
  if (!user) throw new TRPCError({ code: 'UNAUTHORIZED', message: 'sign-in-required' })
  const member = await admitMember(user, tenant)
  if (member.readOnly && writes) throw new TRPCError({ code: 'FORBIDDEN', message: 'view-as-read-only' })
  if (!may(member.role, permission))
    throw new TRPCError({ code: 'FORBIDDEN', message: whyNot(member.role, permission) })
  return member
}

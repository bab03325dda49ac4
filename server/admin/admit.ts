import type { FastifyRequest } from 'fastify'
import { admitMember, type MemberCtx, type UserCtx } from '../accounts/access.ts'
import type { Permission } from '../contract/permissions.ts'
import type { Config } from '../kit/config/config.ts'
import { AppError } from '../kit/error.ts'

/**
 * Refuses requests of other sites that would change something with a person's cookie. A browser sends the page's origin
 * with every POST, and a form of another site cannot send JSON. Throws AppError.
 */
export function refuseForeign(config: Pick<Config, 'publicUrl'>, request: FastifyRequest): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  if (request.headers.origin !== new URL(config.publicUrl).origin) throw new AppError('origin-not-allowed')
  if (!/^application\/json *(;|$)/i.test(request.headers['content-type'] ?? ''))
    throw new AppError('unsupported-media-type')
}

/**
 * The context of a member whose role has the permission. For others the tenant does not exist. Someone who only views as a
 * member writes nothing. Throws AppError.
 */
export async function admitTo(
  user: UserCtx | undefined,
  tenant: string,
  { permission, writes = false }: { permission: Permission; writes?: boolean },
): Promise<MemberCtx> {
  if (!user) throw new AppError('sign-in-required')
  const member = await admitMember(user, tenant)
  if (member.readOnly && writes) throw new AppError('view-as-read-only')
  if (!member.allows(permission)) throw new AppError('role-required', { role: member.role, permission })
  return member
}

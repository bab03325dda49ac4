import type { Role } from '../../contract/permissions.ts'
import { newId } from '../../kit/crypto/ids.ts'
import { AppError } from '../../kit/error.ts'
import { type ActorContext, change } from '../change.ts'

/**
 * Makes a person a member without an invitation: for founders, operators and the demo data. Throws AppError if they
 * are already a member.
 */
export async function addMember(
  ctx: ActorContext,
  input: { tenantId: string; person: { id: string; email: string }; role: Role },
): Promise<{ id: string }> {
  const { tenantId, person, role } = input
  return change(ctx, async (ctx) => {
    const id = newId()
    const { count } = await ctx.prisma.member.createMany({
      data: [{ id, tenantId, userId: person.id, role }],
      skipDuplicates: true,
    })
    if (count === 0) throw new AppError('member-exists', { email: person.email })
    return {
      out: { id },
      change: { tenantId, action: 'member.join', target: id, after: { email: person.email, role } },
    }
  })
}

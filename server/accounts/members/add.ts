import { newId } from '../../kit/ids.ts'
import { type Acting, change } from '../change.ts'
import type { Role } from '../permissions.ts'

/** Makes a person a member without an invitation: for founders, operators and the seed. Nobody may be added twice. */
export async function addMember(
  ctx: Acting,
  input: { tenantId: string; person: { id: string; email: string }; role: Role },
): Promise<{ id: string }> {
  const { tenantId, person, role } = input
  return change(ctx, async (ctx) => {
    const id = newId()
    await ctx.prisma.member.create({ data: { id, tenantId, userId: person.id, role } })
    return {
      out: { id },
      change: { tenantId, action: 'member.join', target: id, after: { email: person.email, role } },
    }
  })
}

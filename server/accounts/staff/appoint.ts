import type { StaffLevel } from '../../contract/permissions.ts'
import type { OperatorCtx } from '../access.ts'
import { change } from '../change.ts'
import { endSessions } from '../sessions/end.ts'
import { type EnsuredPerson, ensurePerson } from '../sessions/person.ts'

/** Makes the person with an e-mail address a member of staff, or changes their level. They have to sign in again. Only the command line can do this. */
export async function appointStaff(
  ctx: OperatorCtx,
  input: { email: string; level: StaffLevel; name?: string },
): Promise<EnsuredPerson & { level: StaffLevel }> {
  const person = await ensurePerson(ctx, input)
  return change(ctx, async (ctx) => {
    const { staffLevel } = await ctx.prisma.user.findUniqueOrThrow({ where: { id: person.id } })
    await ctx.prisma.user.update({ where: { id: person.id }, data: { staffLevel: input.level } })
    if (staffLevel !== input.level) await endSessions(ctx, person.id)
    return {
      out: { ...person, level: input.level },
      change: {
        tenantId: null,
        action: 'staff.appoint',
        target: person.id,
        before: { level: staffLevel },
        after: { level: input.level, email: person.email },
      },
    }
  })
}

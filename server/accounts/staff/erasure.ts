import { AppError } from '../../kit/error.ts'
import type { StaffCtx } from '../access.ts'
import { findTenant } from '../find.ts'
import { type ErasedPerson, erasePerson } from '../people/erase.ts'
import { type ErasedVisitor, eraseVisitor, type VisitorHash } from '../people/eraseVisitor.ts'
import { emailOf } from '../sessions/person.ts'

/**
 * Erases a person in the staff console. `confirm`: the address, typed again. Members of staff are erased on the command
 * line, where they are appointed. Throws AppError.
 */
export async function erasePersonAsStaff(
  ctx: StaffCtx,
  input: { email: string; confirm: string },
): Promise<ErasedPerson> {
  const email = emailOf(input.email)
  if (input.confirm.trim().toLowerCase() !== email)
    throw new AppError('confirmation-wrong', { word: email, verb: 'erase' })
  const user = await ctx.prisma.user.findUnique({ where: { email }, select: { staffLevel: true } })
  if (user?.staffLevel) throw new AppError('person-is-staff')
  return erasePerson(ctx, { email })
}

/** Erases a visitor in the staff console. `confirm`: the tenant's slug, typed. Throws AppError. */
export async function eraseVisitorAsStaff(
  ctx: StaffCtx,
  { tenant, confirm, ...hash }: VisitorHash & { tenant: string; confirm: string },
): Promise<ErasedVisitor> {
  const { id, slug } = await findTenant(ctx, tenant)
  if (confirm !== slug) throw new AppError('confirmation-wrong', { word: slug, verb: 'erase' })
  return eraseVisitor(ctx, { id }, hash)
}

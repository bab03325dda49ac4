import { hasAtMost } from '../../../contract/names.ts'
import { newId } from '../../../kit/crypto/ids.ts'
import { seconds } from '../../../kit/db/clock.ts'
import { AppError } from '../../../kit/error.ts'
import type { StaffCtx } from '../../access.ts'
import { change } from '../../change.ts'
import type { NoteRow } from './list.ts'

/**
 * Adds a note of a member of staff about a tenant or one of its objects. The tenant never sees it, so its audit
 * row has no tenant. `subject` and `tenant`: ids; they coincide for a note about the tenant itself. Throws AppError.
 */
export async function addNote(
  ctx: StaffCtx,
  input: { subject: string; tenant: string; text: string },
): Promise<NoteRow> {
  const { subject, tenant } = input
  const text = input.text.trim()
  if (text === '' || !hasAtMost(4000, text)) throw new AppError('note-invalid')
  return change(ctx, async (ctx) => {
    const { id, createdAt } = await ctx.prisma.staffNote.create({
      data: { id: newId(), subject, tenantId: tenant, userId: ctx.user.id, text },
    })
    return {
      out: { id, text, author: ctx.user.name, subject, createdAt: seconds(createdAt.getTime()) },
      change: { tenantId: null, action: 'note.add', target: subject, after: { tenant } },
    }
  })
}

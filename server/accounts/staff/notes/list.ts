import { seconds } from '../../../kit/db/clock.ts'
import type { StaffCtx } from '../../access.ts'
import { recordStaffRead } from '../recordRead.ts'

/** `createdAt`: Unix seconds. */
export type NoteRow = { id: string; subject: string; text: string; author: string; createdAt: number }

const MANY = 100

/** Notes of staff about the subject, or about anything of the tenant; newest first, at most 100. */
export async function listNotes(ctx: StaffCtx, about: { subject: string } | { tenant: string }): Promise<NoteRow[]> {
  await recordStaffRead(ctx, { action: 'note.read', target: 'subject' in about ? about.subject : about.tenant })
  const rows = await ctx.prisma.staffNote.findMany({
    where: 'subject' in about ? { subject: about.subject } : { tenantId: about.tenant },
    include: { user: { select: { name: true } } },
    orderBy: { createdAt: 'desc' },
    take: MANY,
  })
  return rows.map(({ id, subject, text, user, createdAt }) => ({
    id,
    subject,
    text,
    author: user.name,
    createdAt: seconds(createdAt.getTime()),
  }))
}

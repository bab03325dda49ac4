import type { Db } from '../kit/db/transact.ts'

/** Whether the role of this connection may change or delete history: one role does everything, or it is a superuser. */
export async function canChangeHistory({ prisma }: Db): Promise<boolean> {
  const [row] = await prisma.$queryRaw<{ can: boolean }[]>`
    select has_table_privilege('audit_event', 'update, delete, truncate') as can`
  return row?.can ?? true
}

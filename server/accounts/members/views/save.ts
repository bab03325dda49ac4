import type { Prisma } from '../../../../prisma/client/client.ts'
import { newId } from '../../../kit/crypto/ids.ts'
import { transact } from '../../../kit/db/transact.ts'
import { AppError } from '../../../kit/error.ts'
import type { MemberCtx } from '../../access.ts'
import { checkName } from '../../name.ts'
import type { SavedView } from './list.ts'

const MOST = 20

/**
 * Saves a page's filter under a name, for this member only. A view of the same name is replaced. It affects no other member,
 * so it is not audited. Throws AppError.
 */
export async function saveView(
  ctx: MemberCtx,
  input: { page: string; name: string; search: Prisma.InputJsonObject },
): Promise<SavedView> {
  const { page, search } = input
  const name = checkName('view', input.name)
  const [tenantId, userId] = [ctx.tenant.id, ctx.user.id]
  return transact(ctx, async ({ prisma }) => {
    // a member's views are saved one at a time, so that each statement counts those before it
    await prisma.$queryRaw`
      select 1 from member where tenant_id = ${tenantId}::uuid and user_id = ${userId}::uuid for no key update`
    const [view] = await prisma.$queryRaw<SavedView[]>`
      insert into saved_view (id, tenant_id, user_id, page, name, search)
      select ${newId()}::uuid, ${tenantId}::uuid, ${userId}::uuid, ${page}, ${name}, ${JSON.stringify(search)}::jsonb
      where (
        select count(*) from saved_view v
        where v.tenant_id = ${tenantId}::uuid and v.user_id = ${userId}::uuid and v.page = ${page} and v.name <> ${name}
      ) < ${MOST}
      on conflict (tenant_id, user_id, page, name) do update set search = excluded.search
      returning id::text as id, name, search`
    if (!view) throw new AppError('too-many-views', { most: MOST })
    return view
  })
}

import type { Prisma } from '../../../../prisma/client/client.ts'
import { AppError } from '../../../kit/error.ts'
import { newId } from '../../../kit/ids.ts'
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
  const [view] = await ctx.prisma.$queryRaw<SavedView[]>`
    insert into saved_view (id, tenant_id, user_id, page, name, search)
    select ${newId()}::uuid, ${ctx.tenant.id}::uuid, ${ctx.user.id}::uuid, ${page}, ${name}, ${JSON.stringify(search)}::jsonb
    where (
      select count(*) from saved_view v
      where v.tenant_id = ${ctx.tenant.id}::uuid and v.user_id = ${ctx.user.id}::uuid and v.page = ${page} and v.name <> ${name}
    ) < ${MOST}
    on conflict (tenant_id, user_id, page, name) do update set search = excluded.search
    returning id::text as id, name, search`
  if (!view) throw new AppError('too-many-views', { most: MOST })
  return view
}

import { z } from 'zod'
import { acceptInvitation, listOwnInvitations, viewInvitation } from '../accounts/members/accept.ts'
import { changeRole, transferOwnership } from '../accounts/members/changeRole.ts'
import { invite, revokeInvitation } from '../accounts/members/invite.ts'
import { listInvitations, listMembers } from '../accounts/members/list.ts'
import { leaveTenant, removeMember } from '../accounts/members/remove.ts'
import { findUnprotected } from '../accounts/members/unprotected.ts'
import { ROLES } from '../contract/permissions.ts'
import { boundedText } from './fields.ts'
import { fresh, member, paging, publicly, renewed, rest, router, signedIn } from './trpc.ts'

const role = z.enum(ROLES)
const id = z.object({ id: z.uuid() })
const whom = z.object({ member: z.uuid() })

export const membersRouter = router({
  list: member('member.read')
    .meta(rest('GET /members', 'List the members'))
    .input(paging)
    .query(({ ctx, input }) => listMembers(ctx.member, input)),
  unprotected: member('member.read').query(({ ctx }) => findUnprotected(ctx.member)),
  invitations: member('member.read')
    .meta(rest('GET /invitations', 'List the open invitations'))
    .input(paging)
    .query(({ ctx, input }) => listInvitations(ctx.member, input)),
  invite: fresh('member.write')
    .meta(rest('POST /invitations', 'Invite a person'))
    .input(z.object({ email: boundedText(254), role }))
    .mutation(({ ctx, input }) => invite(ctx.member, input)),
  revokeInvitation: member('member.write')
    .meta(rest('DELETE /invitations/{id}', 'Revoke an invitation'))
    .input(id)
    .mutation(({ ctx, input }) => revokeInvitation(ctx.member, input)),
  /** For the invited person, who may not have an account yet. */
  invitation: publicly.input(id).query(({ ctx, input }) => viewInvitation(ctx.reading, input)),
  /** The caller's own, in all tenants. */
  offers: signedIn.query(({ ctx }) => listOwnInvitations(ctx.user)),
  accept: signedIn.input(id).mutation(({ ctx, input }) => acceptInvitation(ctx.user, input)),
  changeRole: fresh('member.write')
    .meta(rest('PATCH /members/{member}', 'Change the role of a member'))
    .input(whom.extend({ role }))
    .mutation(({ ctx, input }) => changeRole(ctx.member, input)),
  remove: member('member.write')
    .meta(rest('DELETE /members/{member}', 'Remove a member'))
    .input(whom)
    .mutation(({ ctx, input }) => removeMember(ctx.member, input)),
  leave: member('tenant.read').mutation(({ ctx }) => leaveTenant(ctx.member)),
  transfer: fresh('tenant.transfer')
    .input(whom)
    .mutation(async ({ ctx, input }) => transferOwnership(await renewed(ctx), input)),
})

import { z } from 'zod'
import { listIdentities } from '../accounts/oidc/unlink.ts'
import { listActivity } from '../accounts/sessions/activity.ts'
import { listSessions } from '../accounts/sessions/list.ts'
import { me } from '../accounts/sessions/me.ts'
import { endSession, revokeOtherSessions } from '../accounts/sessions/revoke.ts'
import { publicly, router, signedIn } from './trpc.ts'

/** The caller, and the browsers in which they are signed in. */
export const sessionRouter = router({
  /** null if not signed in, so that the console can call it before it knows. */
  me: publicly.query(({ ctx: { user } }) => (user ? me(user) : null)),
  list: signedIn.query(({ ctx }) => listSessions(ctx.user)),
  identities: signedIn.query(({ ctx }) => listIdentities(ctx.user)),
  activity: signedIn.query(({ ctx }) => listActivity(ctx.user)),
  revoke: signedIn.input(z.object({ id: z.uuid() })).mutation(({ ctx, input }) => endSession(ctx.user, input)),
  revokeOthers: signedIn.mutation(({ ctx }) => revokeOtherSessions(ctx.user)),
})

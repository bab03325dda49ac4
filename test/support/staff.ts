import { admitOperator } from '../../server/accounts/access.ts'
import { appointStaff } from '../../server/accounts/staff/appoint.ts'
import type { StaffLevel } from '../../server/contract/permissions.ts'
import type { TestApp } from './app.ts'
import { makePerson, type SignedIn } from './browser.ts'

/** Creates a member of staff of the level, signed in, with a second factor (`twoFactor: false`: without). */
export async function makeStaff(
  app: TestApp,
  level: StaffLevel,
  { twoFactor = true }: { twoFactor?: boolean } = {},
): Promise<SignedIn> {
  const person = await makePerson(app)
  await appointStaff(admitOperator(app.ctx, 'test'), { email: person.email, level })
  await person.signIn(person.email)
  await setTwoFactor(app, person, twoFactor)
  return person
}

/** Marks the person as having a second factor or none. Sign in before, because there is no authenticator. */
export const setTwoFactor = (app: Pick<TestApp, 'sql'>, { userId }: Pick<SignedIn, 'userId'>, on: boolean) =>
  app.sql.query('update "user" set two_factor_enabled = $2 where id = $1', [userId, on])

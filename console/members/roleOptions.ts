import { type Role, reaches } from '../../server/contract/permissions.ts'
import type { RadioOption } from '../ui/form/RadioGroup.tsx'
import { ROLE_WORDS } from './words.ts'

/** All roles with a hint each; roles above one's own are disabled with the reason. */
export const roleOptions = (own: Role): Record<Role, RadioOption> => ({
  owner: option(own, 'owner'),
  admin: option(own, 'admin'),
  developer: option(own, 'developer'),
  billing: option(own, 'billing'),
  viewer: option(own, 'viewer'),
})

const option = (own: Role, role: Role): RadioOption => ({
  ...ROLE_WORDS[role],
  reason: reaches(own, role) ? undefined : `You are ${ROLE_WORDS[own].label} and can’t assign a role above yours.`,
})

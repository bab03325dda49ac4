import type { OperatorCtx } from '../accounts/access.ts'
import { findTenant } from '../accounts/find.ts'
import { addMember } from '../accounts/members/add.ts'
import { erasePerson } from '../accounts/people/erase.ts'
import { eraseVisitor } from '../accounts/people/eraseVisitor.ts'
import { exportPerson } from '../accounts/people/export.ts'
import { type EnsuredPerson, ensurePerson, welcomePerson } from '../accounts/sessions/person.ts'
import { appointStaff } from '../accounts/staff/appoint.ts'
import { ROLES } from '../contract/permissions.ts'
import { type Command, type Option, type Options, TENANT, text, UsageError } from './options.ts'

const EMAIL: Option = { value: 'EMAIL', about: 'the address with which the person signs in' }
const PERSON: Option = { value: 'NAME', about: 'name of the person, if the account is new', optional: true }

const named = (options: Options) => (options['name'] === undefined ? {} : { name: text(options, 'name') })

/**
 * For a person without a password: sends a link to choose one, or returns it to be printed. In a deployment without passwords:
 * always, because the link signs in.
 */
async function welcome(ctx: OperatorCtx, person: EnsuredPerson): Promise<{ url: string | null; lines: string[] }> {
  const { passwords } = ctx.config
  if (passwords && !person.locked) return { url: null, lines: [] }
  const purpose = passwords ? 'Choose a password' : 'Sign in'
  const { link } = await welcomePerson(ctx, person)
  if (link === undefined)
    return { url: null, lines: ['The running service sends an e-mail with a link that works once.'] }
  return { url: link, lines: [`${purpose} within one hour (the link works once): ${link}`] }
}

/** Commands about people: members, staff, and what is stored about someone. */
export const PEOPLE: Record<string, Command> = {
  'member add': {
    about: 'Adds a person to a tenant.',
    options: {
      tenant: TENANT,
      email: EMAIL,
      role: { value: 'ROLE', about: `${ROLES.join(', ')}; by default owner`, optional: true },
      name: PERSON,
    },
    async run(ctx, options) {
      const role = ROLES.find((each) => each === (options['role'] ?? 'owner'))
      if (!role) throw new UsageError(`--role must be one of ${ROLES.join(', ')}, not "${String(options['role'])}".`)
      const tenant = await findTenant(ctx, text(options, 'tenant'))
      const person = await ensurePerson(ctx, { email: text(options, 'email'), ...named(options) })
      await addMember(ctx, { tenantId: tenant.id, person, role })
      const link = await welcome(ctx, person)
      return {
        result: { tenant_id: tenant.id, user_id: person.id, email: person.email, role, link: link.url },
        text: [`${person.email} is now ${role} of ${tenant.slug}.`, ...link.lines].join('\n'),
      }
    },
  },
  'staff create': {
    about: 'Adds a member of staff, or changes their level.',
    options: {
      email: EMAIL,
      level: { value: 'LEVEL', about: 'support or lead; by default support', optional: true },
      name: PERSON,
    },
    async run(ctx, options) {
      const level = options['level'] ?? 'support'
      if (level !== 'support' && level !== 'lead')
        throw new UsageError(`--level must be support or lead, not "${String(level)}".`)
      const person = await appointStaff(ctx, { email: text(options, 'email'), level, ...named(options) })
      const link = await welcome(ctx, person)
      return {
        result: { user_id: person.id, email: person.email, level, created: person.created, link: link.url },
        text: [`${person.email} is now staff (${level}).`, ...link.lines].join('\n'),
      }
    },
  },
  'person export': {
    about: 'Prints everything stored about a person.',
    options: { email: EMAIL },
    async run(ctx, options) {
      const person = await exportPerson(ctx, { email: text(options, 'email') })
      return { result: { person }, text: JSON.stringify(person, null, 2) }
    },
  },
  'person erase': {
    about: 'Deletes everything about a person. Cannot be undone.',
    options: { email: EMAIL },
    async run(ctx, options) {
      const { account, invitations, events } = await erasePerson(ctx, { email: text(options, 'email') })
      return {
        result: { account, invitations, events },
        text: `${account ? 'Deleted the account.' : 'There is no such account.'} Deleted invitations: ${invitations}. Audit events without the address: ${events}.`,
      }
    },
  },
  'visitor erase': {
    about: 'Removes the hash of a session or a subject from a tenant. Cannot be undone.',
    options: {
      tenant: TENANT,
      'session-hash': { value: 'HASH', about: 'the value sent as session', optional: true },
      'subject-hash': { value: 'HASH', about: 'the value sent as subject', optional: true },
    },
    async run(ctx, options) {
      const fields = (['session', 'subject'] as const).filter((field) => options[`${field}-hash`] !== undefined)
      const [field] = fields
      if (field === undefined || fields.length > 1)
        throw new UsageError('Give either --session-hash or --subject-hash.')
      const hash = text(options, `${field}-hash`)
      if (!/^[0-9a-f]{64}$/.test(hash)) throw new UsageError(`--${field}-hash must be 64 lower-case hex digits.`)
      const result = await eraseVisitor(ctx, await findTenant(ctx, text(options, 'tenant')), {
        field,
        hash,
      })
      const { intents, grants, decisions } = result
      return { result, text: `Removed from intents: ${intents}, from grants: ${grants}, from decisions: ${decisions}.` }
    },
  },
}

/** The table of roles in docs/members-and-usage.md, from what the server enforces. */
import { readFileSync } from 'node:fs'
import { PERMISSION_LABELS } from '../server/contract/permissionLabels.ts'
import { PERMISSIONS, type Permission, ROLES } from '../server/contract/permissions.ts'

const PAGE = 'docs/members-and-usage.md'

/** What exactly these roles may do, in the order and the words of the console. */
const rightsOf = (roles: string): string =>
  (Object.keys(PERMISSION_LABELS) as Permission[])
    .filter((permission) => PERMISSIONS[permission].join() === roles)
    .map((permission) => PERMISSION_LABELS[permission].replace(/^[A-Z](?!P)/, (letter) => letter.toLowerCase()))
    .join('; ')

/** The page with its table, which stands between two comments. A row for each set of roles, from the largest to the smallest. */
export function rolesFile(): Record<string, string> {
  const sets = [...new Set(Object.values(PERMISSIONS).map((roles) => roles.join()))].toSorted(
    (a, b) => b.split(',').length - a.split(',').length,
  )
  const rows = sets.map((set) => `| ${set === ROLES.join() ? 'all' : set.replaceAll(',', ', ')} | ${rightsOf(set)} |`)
  const table = ['| Roles | May |', '|---|---|', ...rows].join('\n')
  const marks = /(<!-- roles: [^\n]* -->\n)[^]*?(<!-- end of roles -->)/
  return {
    [PAGE]: readFileSync(PAGE, 'utf8').replace(
      marks,
      (_, begin: string, end: string) => `${begin}\n${table}\n\n${end}`,
    ),
  }
}

import { Check, Minus } from 'lucide-react'
import { PERMISSION_LABELS } from '../../server/contract/permissionLabels.ts'
import { may, type Permission, ROLES } from '../../server/contract/permissions.ts'
import { useTenant } from '../frame/useTenant.ts'
import { Link } from '../ui/text/Link.tsx'
import { PERMISSION_GROUPS, ROLE_WORDS } from './words.ts'

/** A link to the permissions of each role, in a new tab: a form that is being filled in stays. */
export function RolesLink() {
  const { slug } = useTenant()
  return (
    <p className="text-13">
      <Link to="/o/$tenant/members" params={{ tenant: slug }} search={{ tab: 'roles' }} target="_blank">
        What each role may do<span className="sr-only"> (in a new tab)</span>
      </Link>
    </p>
  )
}

/** The permissions of each role, from the same table that the service enforces. */
export function RolesMatrix() {
  const { role: own } = useTenant()
  return (
    <div className="overflow-clip rounded-panel border border-line bg-surface">
      <table aria-label="What each role may do" className="w-full text-13">
        <thead>
          <tr>
            <th
              scope="col"
              className="border-b border-line px-4 py-2 text-left align-bottom text-12 font-medium text-ink-2"
            >
              Permission
            </th>
            {ROLES.map((role) => (
              <th
                key={role}
                scope="col"
                className={`w-8 border-b border-line py-2 align-bottom text-12 font-medium md:w-24 ${role === own ? 'bg-sunken text-ink' : 'text-ink-2'}`}
              >
                <span className="inline-block max-md:rotate-180 max-md:[writing-mode:vertical-rl]">
                  {ROLE_WORDS[role].label}
                  {role === own && <span className="font-normal"> (you)</span>}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        {Object.entries(PERMISSION_GROUPS).map(([group, nouns]) => (
          <tbody key={group}>
            <tr>
              <th
                scope="rowgroup"
                colSpan={ROLES.length + 1}
                className="border-b border-line bg-sunken px-4 py-1.5 text-left text-12 font-medium text-ink-2"
              >
                {group}
              </th>
            </tr>
            {permissionsOf(nouns).map((permission) => (
              <tr key={permission} className="border-b border-line last:border-b-0">
                <th scope="row" className="px-4 py-2 text-left font-normal">
                  {PERMISSION_LABELS[permission]}
                </th>
                {ROLES.map((role) => (
                  <td key={role} className={`text-center ${role === own ? 'bg-sunken' : ''}`}>
                    <YesOrNo yes={may(role, permission)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  )
}

const permissionsOf = (nouns: readonly string[]): Permission[] =>
  (Object.keys(PERMISSION_LABELS) as Permission[]).filter((permission) =>
    nouns.includes(permission.split('.', 1)[0] ?? ''),
  )

function YesOrNo({ yes }: { yes: boolean }) {
  const Sign = yes ? Check : Minus
  return (
    <>
      <Sign size={15} aria-hidden className={`inline ${yes ? 'text-brand-ink' : 'text-ink-3'}`} />
      <span className="sr-only">{yes ? 'Yes' : 'No'}</span>
    </>
  )
}

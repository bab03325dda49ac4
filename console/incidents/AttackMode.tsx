import { DocsLink } from '../frame/DocsLink.tsx'
import { useFocusWhenAsked } from '../frame/useAsked.ts'
import type { Site } from '../sites/api.ts'
import { Panel } from '../ui/page/Page.tsx'
import { AttackEffect } from './AttackEffect.tsx'
import { AttackNotice, StartAttackMode } from './AttackSwitch.tsx'
import { ATTACK_WAIT } from './words.ts'

/** Attack mode for 1 hour, whatever the site's policy says: the button that starts it, or the notice that it is on. */
export function AttackMode({ site: { id, name, attackUntil } }: { site: Pick<Site, 'id' | 'name' | 'attackUntil'> }) {
  const target = useFocusWhenAsked<HTMLButtonElement>('attack-mode')
  if (attackUntil !== null) return <AttackNotice site={id} name={name} until={attackUntil} />
  return (
    <Panel
      title="Attack mode"
      description={`Every visitor waits ${ATTACK_WAIT} on average. It ends by itself after an hour.`}
      actions={<StartAttackMode site={{ id, name }} target={target} />}
    >
      <p className="text-13 text-pretty">
        <AttackEffect site={id} />
      </p>
      <p className="mt-1 text-13">
        <DocsLink page="under-attack">When it helps, and when it does not</DocsLink>
      </p>
    </Panel>
  )
}

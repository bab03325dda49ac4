import { ThemeSwitch } from '../frame/ThemeSwitch.tsx'
import { ZoneSwitch } from '../frame/ZoneSwitch.tsx'
import { useMe } from '../session/me.ts'
import { signOut } from '../session/signOut.ts'
import { Button } from '../ui/form/Button.tsx'
import { Page, Panel } from '../ui/page/Page.tsx'
import { useZone, zoneName } from '../ui/text/zone.ts'
import { Name } from './Name.tsx'
import { Passkeys } from './Passkeys.tsx'
import { Password } from './Password.tsx'
import { SecondFactor } from './SecondFactor.tsx'
import { Sessions } from './Sessions.tsx'

/** The person: how they sign in, where they are signed in, and how the console looks to them. */
export function Account() {
  const { user } = useMe()
  const zone = useZone()
  return (
    <Page title="Account" description={user.email} actions={<Button onClick={() => void signOut()}>Sign out</Button>}>
      <Name />
      <Password />
      <SecondFactor />
      <Passkeys />
      <Sessions />
      <Panel title="Display" description={`Saved in this browser. Times are shown in ${zoneName(zone)}.`}>
        <div className="flex flex-wrap gap-4">
          <ThemeSwitch />
          <ZoneSwitch />
        </div>
      </Panel>
    </Page>
  )
}

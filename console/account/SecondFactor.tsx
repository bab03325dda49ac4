import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { answered } from '../session/answered.ts'
import { auth } from '../session/auth.ts'
import { refreshMe, useMe } from '../session/me.ts'
import { Button } from '../ui/form/Button.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { Panel } from '../ui/page/Page.tsx'
import { Pill } from '../ui/text/Pill.tsx'
import type { Enrolment } from './TurnOn.tsx'

const AskPassword = lazy(async () => ({ default: (await import('./AskPassword.tsx')).AskPassword }))
const TurnOn = lazy(async () => ({ default: (await import('./TurnOn.tsx')).TurnOn }))
const RecoveryCodes = lazy(async () => ({ default: (await import('./RecoveryCodes.tsx')).RecoveryCodes }))

type Asking = 'turn-on' | 'turn-off' | 'new-codes' | null

const ASKING = {
  'turn-on': { title: 'Turn on two-factor authentication', submit: 'Continue' },
  'turn-off': { title: 'Turn off two-factor authentication?', submit: 'Turn off' },
  'new-codes': { title: 'Create new recovery codes?', submit: 'Create new codes' },
} satisfies Record<Exclude<Asking, null>, { title: string; submit: string }>

const FOLLOWS = {
  'turn-on': 'You need an authenticator app on your phone. Enter your password to continue.',
  'turn-off':
    'You will sign in with your password only, and lose access to tenants that require two-factor authentication.',
  'new-codes': 'Your current codes stop working immediately.',
} satisfies Record<Exclude<Asking, null>, string>

/** Turns two-factor authentication on and off, and creates new recovery codes. */
export function SecondFactor() {
  const { user } = useMe()
  const [asking, setAsking] = useState<Asking>(null)
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)

  const proceed = useMutation({
    meta: { inline: true },
    // the responses contain secrets, so they are not cached
    gcTime: 0,
    mutationFn: async (password: string) => {
      if (asking === 'turn-on') {
        const enrolment = await answered(auth.twoFactor.enable({ password }))
        if (enrolment.method === 'totp') setEnrolment(enrolment)
      } else if (asking === 'new-codes')
        setCodes((await answered(auth.twoFactor.generateBackupCodes({ password }))).backupCodes)
      else {
        await answered(auth.twoFactor.disable({ password }))
        await refreshMe()
        toast('Two-factor authentication turned off')
      }
    },
    onSuccess: () => setAsking(null),
  })
  const ask = (what: Asking) => {
    proceed.reset()
    setAsking(what)
  }
  return (
    <Panel
      title="Two-factor authentication"
      description="Ask for a code from your authenticator app when you sign in."
      actions={user.twoFactorEnabled ? <Pill tone="pass">On</Pill> : <Pill tone="neutral">Off</Pill>}
    >
      <div className="flex flex-wrap gap-2">
        {user.twoFactorEnabled ? (
          <>
            <Button onClick={() => ask('new-codes')}>Create new recovery codes</Button>
            <Button look="danger" onClick={() => ask('turn-off')}>
              Turn off
            </Button>
          </>
        ) : (
          <Button onClick={() => ask('turn-on')}>Turn on</Button>
        )}
      </div>
      <Suspense>
        {asking && (
          <AskPassword
            {...ASKING[asking]}
            description={FOLLOWS[asking]}
            busy={proceed.isPending}
            error={proceed.error}
            onClose={() => setAsking(null)}
            onSubmit={(password) => proceed.mutate(password)}
          />
        )}
        {enrolment && (
          <TurnOn
            enrolment={enrolment}
            onClose={() => setEnrolment(null)}
            onVerified={() => {
              setCodes(enrolment.backupCodes)
              setEnrolment(null)
            }}
          />
        )}
        {codes && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />}
      </Suspense>
    </Panel>
  )
}

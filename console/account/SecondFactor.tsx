import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { answered } from '../session/answered.ts'
import { auth } from '../session/auth.ts'
import { refreshMe, useMe } from '../session/me.ts'
import { Button } from '../ui/Button.tsx'
import { Panel } from '../ui/Page.tsx'
import { Pill } from '../ui/Pill.tsx'
import { toast } from '../ui/toast.ts'
import type { Enrolment } from './TurnOn.tsx'

const AskPassword = lazy(async () => ({ default: (await import('./AskPassword.tsx')).AskPassword }))
const TurnOn = lazy(async () => ({ default: (await import('./TurnOn.tsx')).TurnOn }))
const RecoveryCodes = lazy(async () => ({ default: (await import('./RecoveryCodes.tsx')).RecoveryCodes }))

type Asking = 'turn-on' | 'turn-off' | 'new-codes' | null

const ASKING = {
  'turn-on': { title: 'Turn on the second factor', submit: 'Continue' },
  'turn-off': { title: 'Turn off the second factor?', submit: 'Turn off' },
  'new-codes': { title: 'Make new recovery codes?', submit: 'Make new codes' },
} satisfies Record<Exclude<Asking, null>, { title: string; submit: string }>

const FOLLOWS = {
  'turn-on': 'You need an authenticator app on your phone. First, your password.',
  'turn-off': 'Your password alone signs you in then. Tenants that ask for a second factor are closed to you.',
  'new-codes': 'The ones you have stop working at once.',
} satisfies Record<Exclude<Asking, null>, string>

/** Codes of an authenticator app, asked for after the password. */
export function SecondFactor() {
  const { user } = useMe()
  const [asking, setAsking] = useState<Asking>(null)
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)

  const proceed = useMutation({
    meta: { inline: true },
    // the answers carry secrets: they are not kept
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
        toast('Second factor turned off')
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
      title="Second factor"
      description="After your password, a code of an authenticator app on your phone."
      actions={user.twoFactorEnabled ? <Pill tone="pass">On</Pill> : <Pill tone="neutral">Off</Pill>}
    >
      <div className="flex flex-wrap gap-2">
        {user.twoFactorEnabled ? (
          <>
            <Button onClick={() => ask('new-codes')}>Make new recovery codes</Button>
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

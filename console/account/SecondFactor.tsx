import { useMutation } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { newRecoveryCodes, type Proof, startTwoFactor, turnOffTwoFactor } from '../session/auth.ts'
import { refreshMe, useMe } from '../session/me.ts'
import { Button } from '../ui/form/Button.tsx'
import { lazyPart } from '../ui/overlay/lazyPart.ts'
import { toast } from '../ui/overlay/toast.ts'
import { Panel } from '../ui/page/Page.tsx'
import { Pill } from '../ui/text/Pill.tsx'
import type { Enrolment } from './SecondFactorDialogs.tsx'

const dialogs = () => import('./SecondFactorDialogs.tsx')
const AskPassword = lazyPart(async () => (await dialogs()).AskPassword)
const ConnectApp = lazyPart(async () => (await dialogs()).ConnectApp)
const RecoveryCodes = lazyPart(async () => (await dialogs()).RecoveryCodes)

/** The dialog that asks for the password, by action. */
const QUESTIONS = {
  'turn-on': {
    title: 'Turn on two-factor authentication',
    description: 'You need an authenticator app on your phone.',
    submit: 'Continue',
  },
  'turn-off': {
    title: 'Turn off two-factor authentication?',
    description: 'You will sign in without a code, and lose access to tenants that require two-factor authentication.',
    submit: 'Turn off',
  },
  'new-codes': {
    title: 'Create new recovery codes?',
    description: 'Your current codes stop working immediately.',
    submit: 'Create new codes',
  },
} as const

/** Turns two-factor authentication on and off, and creates new recovery codes. */
export function SecondFactor() {
  const { user } = useMe()
  const [action, setAction] = useState<keyof typeof QUESTIONS | null>(null)
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)

  const proceed = useMutation({
    meta: { inline: true },
    // the responses contain secrets, so they are not cached
    gcTime: 0,
    mutationFn: async (proof: Proof) => {
      if (action === 'turn-on') {
        const enrolment = await startTwoFactor(proof)
        if (enrolment.method === 'totp') setEnrolment(enrolment)
      } else if (action === 'new-codes') setCodes((await newRecoveryCodes(proof)).backupCodes)
      else {
        await turnOffTwoFactor(proof)
        await refreshMe()
        toast('Two-factor authentication turned off')
      }
    },
    onSuccess: () => setAction(null),
  })
  const ask = (what: keyof typeof QUESTIONS) => {
    proceed.reset()
    setAction(what)
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
        {action && (
          <AskPassword
            {...QUESTIONS[action]}
            code={user.twoFactorEnabled}
            mutation={proceed}
            onClose={() => setAction(null)}
            onSubmit={(proof) => proceed.mutate(proof)}
          />
        )}
        {enrolment && (
          <ConnectApp
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

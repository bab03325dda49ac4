import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { auth, signInByPasskey, unwrap } from '../session/auth.ts'
import { CodeForm } from '../session/CodeForm.tsx'
import { refreshMe, useMe } from '../session/me.ts'
import { Button } from '../ui/form/Button.tsx'
import { field } from '../ui/form/Form.tsx'
import { PasswordField } from '../ui/form/PasswordField.tsx'
import { Dialog, DialogActions, DialogBody } from '../ui/overlay/Dialog.tsx'
import { ErrorNote } from '../ui/page/ErrorNotice.tsx'

const shape = z.object({ password: z.string().check(z.minLength(1, 'Enter your password.')) })

/** Asks the person to sign in again. The waiting request continues afterwards. */
export function ReauthDialog({ onDone }: { onDone: (proved: boolean) => void }) {
  const { user } = useMe()
  const [needsCode, setNeedsCode] = useState(false)
  const done = async () => {
    await refreshMe()
    onDone(true)
  }
  return (
    <Dialog
      open
      onClose={() => onDone(false)}
      title="Confirm it’s you"
      description={`For your security, sign in again. You are signed in as ${user.email}.`}
    >
      {needsCode ? (
        <DialogBody>
          <CodeForm onProved={done} />
        </DialogBody>
      ) : (
        <PasswordStep
          email={user.email}
          onCode={() => setNeedsCode(true)}
          onProved={done}
          onCancel={() => onDone(false)}
        />
      )}
    </Dialog>
  )
}

function PasswordStep({
  email,
  onCode,
  onProved,
  onCancel,
}: {
  email: string
  onCode: () => void
  onProved: () => Promise<void>
  onCancel: () => void
}) {
  const form = useForm({ resolver: zodResolver(shape), defaultValues: { password: '' } })
  const byPassword = useMutation({
    meta: { inline: true },
    mutationFn: ({ password }: z.infer<typeof shape>) => unwrap(auth.signIn.email({ email, password })),
    onSuccess: async (answer) => {
      if ('twoFactorRedirect' in answer && answer.twoFactorRedirect) onCode()
      else await onProved()
    },
  })
  const byPasskey = useMutation({
    meta: { inline: true },
    mutationFn: signInByPasskey,
    onSuccess: onProved,
  })
  return (
    <form
      noValidate
      className="flex min-h-0 grow flex-col"
      onSubmit={(event) =>
        void form.handleSubmit((input) => {
          byPasskey.reset()
          byPassword.mutate(input)
        })(event)
      }
    >
      <DialogBody>
        <PasswordField label="Password" autoComplete="current-password" {...field(form, 'password')} />
        <div>
          <Button busy={byPasskey.isPending} onClick={() => byPasskey.mutate()}>
            <KeyRound size={15} aria-hidden />
            Use a passkey
          </Button>
        </div>
        <ErrorNote error={byPassword.error ?? byPasskey.error} />
      </DialogBody>
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look="primary" busy={byPassword.isPending}>
          Confirm
        </Button>
      </DialogActions>
    </form>
  )
}

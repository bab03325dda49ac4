import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { auth, signInByPasskey, unwrap } from '../session/auth.ts'
import { DemoPasswords, useDemoPeople } from '../session/Card.tsx'
import { CodeForm } from '../session/CodeForm.tsx'
import { refreshMeInDialog, useMe } from '../session/me.ts'
import { ProviderButton } from '../session/ProviderButton.tsx'
import type { Occasion } from '../session/reauthenticate.ts'
import { Button } from '../ui/form/Button.tsx'
import { field } from '../ui/form/Form.tsx'
import { PasswordField } from '../ui/form/PasswordField.tsx'
import { useFieldError } from '../ui/form/useFieldError.ts'
import { Dialog, DialogActions, DialogBody } from '../ui/overlay/Dialog.tsx'
import { ErrorNote } from '../ui/page/ErrorNotice.tsx'
import { OuterLink } from '../ui/text/Link.tsx'

const shape = z.object({ password: z.string().check(z.minLength(1, 'Enter your password.')) })

const OCCASIONS = {
  old: {
    title: 'Confirm it’s you',
    text: 'For your security, sign in again. You are signed in as',
    confirm: 'Confirm',
  },
  ended: {
    title: 'Your session has ended',
    text: 'What you entered on this page is kept. Sign in again to continue as',
    confirm: 'Sign in',
  },
} satisfies Record<Occasion, object>

/** Asks the person to sign in again, over the page. The waiting request continues afterwards. */
export function ReauthDialog({ occasion, onDone }: { occasion: Occasion; onDone: (proved: boolean) => void }) {
  const { user, hasPassword } = useMe()
  const [needsCode, setNeedsCode] = useState(false)
  const done = async () => {
    const me = await refreshMeInDialog()
    if (me && me.user.id !== user.id) location.reload()
    else if (me) onDone(true)
  }
  useOnFocus(() => occasion === 'ended' && void done().catch(() => undefined))
  const { title, text, confirm } = OCCASIONS[occasion]
  return (
    <Dialog open onClose={() => onDone(false)} title={title} description={`${text} ${user.email}.`}>
      {needsCode ? (
        <DialogBody>
          <CodeForm onProved={done} />
        </DialogBody>
      ) : (
        <SignInStep
          email={user.email}
          hasPassword={hasPassword}
          confirm={confirm}
          otherTab={occasion === 'ended'}
          onCode={() => setNeedsCode(true)}
          onProved={done}
          onCancel={() => onDone(false)}
        />
      )}
    </Dialog>
  )
}

/** Calls `effect` when the person comes back to this window, for example after signing in in another tab. */
function useOnFocus(effect: () => void): void {
  const latest = useRef(effect)
  useEffect(() => {
    latest.current = effect
  })
  useEffect(() => {
    const call = () => latest.current()
    addEventListener('focus', call)
    return () => removeEventListener('focus', call)
  }, [])
}

/** Only the password was entered, so only that can be wrong. */
const blamePassword = <Reply extends { error: { code?: string | undefined } | null }>(reply: Reply) =>
  reply.error?.code === 'INVALID_EMAIL_OR_PASSWORD'
    ? { ...reply, error: { ...reply.error, message: 'Wrong password.', field: 'password' } }
    : reply

function SignInStep({
  email,
  hasPassword,
  confirm,
  otherTab,
  onCode,
  onProved,
  onCancel,
}: {
  email: string
  hasPassword: boolean
  confirm: string
  /** Whether signing in in another tab continues here. */
  otherTab: boolean
  onCode: () => void
  onProved: () => Promise<void>
  onCancel: () => void
}) {
  const form = useForm({ resolver: zodResolver(shape), defaultValues: { password: '' } })
  const byPassword = useMutation({
    meta: { inline: true },
    mutationFn: ({ password }: z.infer<typeof shape>) =>
      unwrap(auth.signIn.email({ email, password }).then(blamePassword)),
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
  const { error } = useFieldError(form, byPassword)
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
        {hasPassword && (
          <>
            <PasswordField label="Password" autoComplete="current-password" {...field(form, 'password')} />
            <DemoPassword email={email} onFill={(password) => form.setValue('password', password)} />
          </>
        )}
        <div>
          <Button busy={byPasskey.isPending} onClick={() => byPasskey.mutate()}>
            <KeyRound size={15} aria-hidden />
            Use a passkey
          </Button>
        </div>
        {otherTab && (
          <p className="text-13 text-ink-2">
            Or{' '}
            <OuterLink href="/sign-in" target="_blank" rel="noopener">
              sign in in another tab
            </OuterLink>
            , then come back here to continue.
          </p>
        )}
        <ProviderButton next={location.pathname + location.search} />
        <ErrorNote error={error ?? byPasskey.error} />
      </DialogBody>
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        {hasPassword && (
          <Button type="submit" look="primary" busy={byPassword.isPending}>
            {confirm}
          </Button>
        )}
      </DialogActions>
    </form>
  )
}

/** In an evaluation: fills in the person's password if this browser knows it, else says where it is. */
function DemoPassword({ email, onFill }: { email: string; onFill: (password: string) => void }) {
  const people = useDemoPeople()
  const person = people?.find((each) => each.email === email)
  if (person)
    return (
      <div>
        <Button onClick={() => onFill(person.password)}>Fill in the demo password</Button>
      </div>
    )
  if (people?.length !== 0) return null
  return (
    <p className="text-13 text-ink-2">
      <DemoPasswords />
    </p>
  )
}

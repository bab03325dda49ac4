import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { auth, type Proof, StaleSession, unwrap } from '../session/auth.ts'
import { refreshMe, useMe } from '../session/me.ts'
import { ProviderButton } from '../session/ProviderButton.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { field } from '../ui/form/Form.tsx'
import { FormDialog } from '../ui/form/FormSheet.tsx'
import { PasswordField } from '../ui/form/PasswordField.tsx'
import { CopyText } from '../ui/text/Copy.tsx'
import { QrCode } from '../ui/text/QrCode.tsx'
import { Reveal } from '../ui/text/Reveal.tsx'

const enteredPassword = z.string().check(z.minLength(1, 'Enter your password.'))
const enteredCode = z.string().check(
  z.overwrite((code) => code.replaceAll(' ', '')),
  z.regex(/^\d{6}$/, 'Enter the six digits of the code.'),
)
const codeShape = z.object({ code: enteredCode })
const enteredProof = z.string().check(
  z.overwrite((code) => code.replaceAll(' ', '')),
  z.regex(/^(\d{6}|[A-Za-z0-9]{5}-?[A-Za-z0-9]{5})$/, 'Enter the six digits of the code, or a recovery code.'),
)

/** Asks for the password before an action, if the account has one, and with `code` also for a code of the authenticator app or a recovery code. */
export function AskPassword({
  onSubmit,
  code: asksCode = false,
  ...dialog
}: {
  title: string
  description: string
  submit: string
  code?: boolean
  mutation: { isPending: boolean; error: unknown }
  onClose: () => void
  onSubmit: (proof: Proof) => void
}) {
  const { hasPassword } = useMe()
  const shape = z.object({
    password: hasPassword ? enteredPassword : z.string(),
    code: asksCode ? enteredProof : z.string(),
  })
  const form = useForm({ resolver: zodResolver(shape), defaultValues: { password: '', code: '' } })
  return (
    <FormDialog
      open
      {...dialog}
      onSubmit={form.handleSubmit(({ password, code }) =>
        onSubmit({ ...(password && { password }), ...(code && { code }) }),
      )}
    >
      {hasPassword && <PasswordField label="Password" autoComplete="current-password" {...field(form, 'password')} />}
      {!hasPassword && dialog.mutation.error instanceof StaleSession && <ProviderButton next={location.pathname} />}
      {asksCode && (
        <TextField
          label="Code"
          hint="From your authenticator app, or one of your recovery codes. Each works once."
          mono
          autoComplete="one-time-code"
          {...field(form, 'code')}
        />
      )}
    </FormDialog>
  )
}

export type Enrolment = { totpURI: string; backupCodes: string[] }

/** Shows the secret as a QR code. A first code from the app turns two-factor authentication on. */
export function ConnectApp({
  enrolment: { totpURI },
  onClose,
  onVerified,
}: {
  enrolment: Enrolment
  onClose: () => void
  onVerified: () => void
}) {
  const form = useForm({ resolver: zodResolver(codeShape), defaultValues: { code: '' } })
  const verify = useMutation({
    meta: { inline: true },
    mutationFn: (input: z.infer<typeof codeShape>) => unwrap(auth.twoFactor.verifyTotp(input)),
    onSuccess: async () => {
      await refreshMe()
      onVerified()
    },
  })
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Connect your authenticator app"
      description="Scan the code with the app, then enter the six digits that it shows."
      submit="Turn on"
      mutation={verify}
      onSubmit={form.handleSubmit((input) => verify.mutate(input))}
    >
      <div className="flex flex-wrap items-start gap-4">
        <QrCode text={totpURI} label="QR code for your authenticator app" />
        <div className="min-w-0 grow basis-40 text-12 text-ink-2">
          <p className="mb-1">Can’t scan it? Enter this key in the app:</p>
          <CopyText text={new URL(totpURI).searchParams.get('secret') ?? ''} name="two-factor secret" />
        </div>
      </div>
      <TextField label="Code" mono inputMode="numeric" autoComplete="one-time-code" {...field(form, 'code')} />
    </FormDialog>
  )
}

/** One-time codes for signing in without the authenticator app. Shown once. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <Reveal
      title="Your recovery codes"
      description="Use one if you lose your phone. Each code works once. Save them now: you won’t see them again, and without them you may lose access to your account."
      name="Recovery codes"
      secret={codes.join('\n')}
      storeHint="In a password manager or on paper, not on the phone with the authenticator app."
      onDone={onDone}
    />
  )
}

import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { answered } from '../session/answered.ts'
import { auth } from '../session/auth.ts'
import { refreshMe } from '../session/me.ts'
import { TextField } from '../ui/form/Field.tsx'
import { FormDialog } from '../ui/form/FormSheet.tsx'
import { CopyText } from '../ui/text/Copy.tsx'
import { QrCode } from './QrCode.tsx'

export type Enrolment = { totpURI: string; backupCodes: string[] }

const shape = z.object({
  code: z.string().check(
    z.overwrite((code) => code.replaceAll(' ', '')),
    z.regex(/^\d{6}$/, 'Enter the six digits of the code.'),
  ),
})

/** Shows the secret as a QR code. A first code from the app turns two-factor authentication on. */
export function TurnOn({
  enrolment: { totpURI },
  onClose,
  onVerified,
}: {
  enrolment: Enrolment
  onClose: () => void
  onVerified: () => void
}) {
  const form = useForm({ resolver: zodResolver(shape), defaultValues: { code: '' } })
  const verify = useMutation({
    meta: { inline: true },
    mutationFn: (input: z.infer<typeof shape>) => answered(auth.twoFactor.verifyTotp(input)),
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
      busy={verify.isPending}
      error={verify.error}
      onSubmit={form.handleSubmit((input) => verify.mutate(input))}
    >
      <div className="flex flex-wrap items-start gap-4">
        <QrCode text={totpURI} label="QR code for your authenticator app" />
        <div className="min-w-0 grow basis-40 text-12 text-ink-2">
          <p className="mb-1">Can’t scan it? Enter this key in the app:</p>
          <CopyText text={new URL(totpURI).searchParams.get('secret') ?? ''} name="two-factor secret" />
        </div>
      </div>
      <TextField
        label="Code"
        mono
        inputMode="numeric"
        autoComplete="one-time-code"
        error={form.formState.errors.code?.message}
        {...form.register('code')}
      />
    </FormDialog>
  )
}

import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { Button } from '../ui/form/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { Form, field } from '../ui/form/Form.tsx'
import { ErrorNote } from '../ui/page/ErrorNotice.tsx'
import { auth, unwrap } from './auth.ts'

const shape = z.object({ code: z.string().check(z.trim(), z.minLength(1, 'Enter the code.')) })

/**
 * The second step of signing in: a code from the authenticator app or a recovery code. `check`: what it is sent to, if not to
 * better-auth.
 */
export function CodeForm({
  onProved,
  check,
}: {
  onProved: () => Promise<void>
  check?: (code: string) => Promise<unknown>
}) {
  const [recovering, setRecovering] = useState(false)
  const form = useForm({ resolver: zodResolver(shape), defaultValues: { code: '' } })
  const verify = useMutation({
    meta: { inline: true },
    mutationFn: (input: z.infer<typeof shape>): Promise<unknown> => {
      const code = recovering ? input.code : input.code.replaceAll(' ', '')
      if (check) return check(code)
      return unwrap(recovering ? auth.twoFactor.verifyBackupCode({ code }) : auth.twoFactor.verifyTotp({ code }))
    },
    onSuccess: onProved,
  })
  const swap = () => {
    setRecovering(!recovering)
    form.reset()
    verify.reset()
  }
  return (
    <Form onSubmit={form.handleSubmit((input) => verify.mutate(input))}>
      <TextField
        key={String(recovering)}
        label={recovering ? 'Recovery code' : 'Code'}
        hint={recovering ? 'One of your saved codes. Each works once.' : 'The six digits from your authenticator app.'}
        mono
        inputMode={recovering ? 'text' : 'numeric'}
        autoComplete={recovering ? 'off' : 'one-time-code'}
        {...field(form, 'code')}
      />
      <ErrorNote error={verify.error} />
      <div className="flex flex-wrap justify-between gap-2">
        <Button look="quiet" onClick={swap}>
          {recovering ? 'Use the app instead' : 'Use a recovery code'}
        </Button>
        <Button type="submit" look="primary" busy={verify.isPending}>
          Verify
        </Button>
      </div>
    </Form>
  )
}

import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { Button } from '../ui/form/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { Form } from '../ui/form/Form.tsx'
import { FailureNote } from '../ui/page/Failure.tsx'
import { Link } from '../ui/text/Link.tsx'
import { answered } from './answered.ts'
import { auth } from './auth.ts'
import { Card } from './Card.tsx'
import { MailboxNote } from './MailboxNote.tsx'

const shape = z.object({ email: z.string().check(z.trim(), z.toLowerCase(), z.email('Enter an e-mail address.')) })

/** Requests a password reset link. The response is the same whether or not the address has an account. */
export function Forgot() {
  const form = useForm({ resolver: zodResolver(shape), defaultValues: { email: '' } })
  const ask = useMutation({
    meta: { inline: true },
    mutationFn: (input: z.infer<typeof shape>) => answered(auth.requestPasswordReset(input)),
  })
  const back = (
    <p>
      <Link to="/sign-in">Back to sign-in</Link>
    </p>
  )
  if (ask.isSuccess) {
    return (
      <Card
        title="Check your inbox"
        description={`If ${ask.variables.email} has an account, we sent a link to reset the password. It works once, within one hour.`}
      >
        <div className="grid gap-2 text-13 text-ink-2">
          {back}
          <MailboxNote />
        </div>
      </Card>
    )
  }
  return (
    <Card title="Forgot your password?" description="We’ll send you a link to choose a new one." footer={back}>
      <Form onSubmit={form.handleSubmit((input) => ask.mutate(input))}>
        <TextField
          label="E-mail"
          type="email"
          autoComplete="username"
          error={form.formState.errors.email?.message}
          {...form.register('email')}
        />
        <FailureNote error={ask.error} />
        <Button type="submit" look="primary" busy={ask.isPending}>
          Send link
        </Button>
      </Form>
    </Card>
  )
}

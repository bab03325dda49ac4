import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { Button } from '../ui/Button.tsx'
import { FailureNote } from '../ui/Failure.tsx'
import { TextField } from '../ui/Field.tsx'
import { Form } from '../ui/Form.tsx'
import { Link } from '../ui/Link.tsx'
import { answered } from './answered.ts'
import { auth } from './auth.ts'
import { Card } from './Card.tsx'
import { MailboxNote } from './MailboxNote.tsx'

const shape = z.object({ email: z.string().check(z.trim(), z.toLowerCase(), z.email('Enter an e-mail address.')) })

/** Asks for a link to a new password. The answer is the same whether the address has an account or not. */
export function Forgot() {
  const form = useForm({ resolver: zodResolver(shape), defaultValues: { email: '' } })
  const ask = useMutation({
    meta: { inline: true },
    mutationFn: (input: z.infer<typeof shape>) => answered(auth.requestPasswordReset(input)),
  })
  const back = (
    <p>
      <Link to="/sign-in">Back to signing in</Link>
    </p>
  )
  if (ask.isSuccess) {
    return (
      <Card
        title="Look into your mailbox"
        description={`If ${ask.variables.email} has an account, a link to a new password is on its way. It works once, for one hour.`}
      >
        <div className="grid gap-2 text-13 text-ink-2">
          {back}
          <MailboxNote />
        </div>
      </Card>
    )
  }
  return (
    <Card title="Forgot your password?" description="We send you a link at which you choose a new one." footer={back}>
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
          Send the link
        </Button>
      </Form>
    </Card>
  )
}

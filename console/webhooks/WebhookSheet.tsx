import { zodResolver } from '@hookform/resolvers/zod'
import { Controller, useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { CHOSEN_TYPES, type ChosenType, EVENT_TYPES } from '../../server/contract/webhooks.ts'
import { DocsLink } from '../frame/DocsLink.tsx'
import { Checkbox } from '../ui/form/Checkbox.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { field } from '../ui/form/Form.tsx'
import { FormSheet } from '../ui/form/FormSheet.tsx'
import { useFieldError } from '../ui/form/useFieldError.ts'

const shape = z.object({
  url: z.string().check(z.trim(), z.url('Enter a URL that begins with https://.')),
  types: z.array(z.enum(CHOSEN_TYPES)).check(z.minLength(1, 'Choose at least one event.')),
})

export type WebhookValues = { url: string; types: ChosenType[] }

const NEW = { url: '', types: CHOSEN_TYPES }

/** The form of a webhook: its URL, and the events that it gets. */
export function WebhookSheet({
  open,
  onClose,
  title,
  submit,
  values = NEW,
  mutation,
  onSubmit,
}: {
  open: boolean
  onClose: () => void
  title: string
  submit: string
  values?: WebhookValues
  mutation: { isPending: boolean; error: unknown }
  onSubmit: (values: WebhookValues) => void
}) {
  const form = useForm<WebhookValues>({ resolver: zodResolver(shape), values })
  return (
    <FormSheet
      open={open}
      onClose={() => {
        form.reset()
        onClose()
      }}
      title={title}
      description={
        <>
          Events are sent to the URL as POST requests.
          <DocsLink page="webhooks" before=" ">
            Bodies and signatures
          </DocsLink>
        </>
      }
      submit={submit}
      mutation={useFieldError(form, mutation)}
      onSubmit={form.handleSubmit(onSubmit)}
    >
      <TextField
        label="URL"
        type="url"
        mono
        autoComplete="off"
        placeholder="https://shop.example/webhooks/tollgate"
        {...field(form, 'url')}
      />
      <Controller
        control={form.control}
        name="types"
        render={({ field: { value, onChange }, fieldState: { error } }) => (
          <fieldset className="grid gap-2.5">
            <legend className="mb-2 text-13 font-medium">Events</legend>
            {CHOSEN_TYPES.map((type) => (
              <Checkbox
                key={type}
                label={<span className="font-mono">{type}</span>}
                hint={`When ${EVENT_TYPES[type]}.`}
                checked={value.includes(type)}
                onChange={({ target }) =>
                  onChange(CHOSEN_TYPES.filter((each) => (each === type ? target.checked : value.includes(each))))
                }
              />
            ))}
            {error && (
              <p role="alert" className="text-12 font-medium text-block">
                {error.message}
              </p>
            )}
          </fieldset>
        )}
      />
    </FormSheet>
  )
}

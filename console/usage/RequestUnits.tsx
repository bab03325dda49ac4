import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { FormDialog } from '../ui/form/FormSheet.tsx'
import { toast } from '../ui/overlay/toast.ts'

/** Asks staff for more units a month. */
export function RequestUnits() {
  const { slug, whyNot } = useTenant()
  const [open, setOpen] = useState(false)
  const [units, setUnits] = useState('')
  const [why, setWhy] = useState('')
  const request = useMutation(
    trpc.usage.requestUnits.mutationOptions({
      meta: { inline: true },
      onSuccess: () => {
        setOpen(false)
        toast('Request sent', { description: 'We’ll answer by e-mail. It is in the audit log too.' })
      },
    }),
  )
  const wanted = Number(units)
  const reason = !(Number.isInteger(wanted) && wanted > 0)
    ? 'Enter how many units you need a month.'
    : why.trim() === ''
      ? 'Say what you need them for.'
      : undefined
  return (
    <>
      <Button
        reason={whyNot('usage.request')}
        onClick={() => {
          request.reset()
          setOpen(true)
        }}
      >
        Request more
      </Button>
      <FormDialog
        open={open}
        onClose={() => setOpen(false)}
        title="Request more units"
        description="Goes to the people who operate this deployment."
        submit="Send request"
        mutation={request}
        reason={reason}
        onSubmit={() => request.mutate({ tenant: slug, units: wanted, why: why.trim() })}
      >
        <TextField
          label="Units a month"
          inputMode="numeric"
          value={units}
          onChange={({ target }) => setUnits(target.value.replaceAll(/[\s,.]/g, ''))}
        />
        <TextField
          label="What for"
          hint="For example a sale, a new site or an attack."
          maxLength={500}
          value={why}
          onChange={({ target }) => setWhy(target.value)}
        />
      </FormDialog>
    </>
  )
}

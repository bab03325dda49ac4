import type { FormEvent, ReactNode } from 'react'
import { Dialog, DialogActions, DialogBody, Sheet } from '../overlay/Dialog.tsx'
import { FailureNote } from '../page/Failure.tsx'
import { Button } from './Button.tsx'

type Props = {
  open: boolean
  onClose: () => void
  title: string
  description?: ReactNode
  /** The verb on the button. */
  submit: string
  /** What it does hurts. */
  danger?: boolean
  onSubmit: (event: FormEvent<HTMLFormElement>) => unknown
  busy: boolean
  /** What the service refused with. */
  error: unknown
  /** Why it cannot be sent. */
  reason?: string | undefined
  children: ReactNode
}

/** A form in a sheet from the right: fields, what went wrong, and the two buttons. */
export function FormSheet(props: Props) {
  return (
    <Sheet {...props}>
      <Form {...props} />
    </Sheet>
  )
}

/** A form of one or two fields in a dialog. */
export function FormDialog(props: Props) {
  return (
    <Dialog {...props}>
      <Form {...props} />
    </Dialog>
  )
}

function Form({ onClose, submit, danger = false, onSubmit, busy, error, reason, children }: Props) {
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)} className="flex min-h-0 grow flex-col">
      <DialogBody>
        {children}
        <FailureNote error={error} />
      </DialogBody>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look={danger ? 'danger' : 'primary'} busy={busy} reason={reason}>
          {submit}
        </Button>
      </DialogActions>
    </form>
  )
}

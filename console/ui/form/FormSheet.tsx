import type { FormEvent, ReactNode } from 'react'
import { Dialog, DialogActions, DialogBody, Sheet } from '../overlay/Dialog.tsx'
import { ErrorNote } from '../page/ErrorNotice.tsx'
import { Button } from './Button.tsx'

type Props = {
  open: boolean
  onClose: () => void
  title: string
  description?: ReactNode
  /** The text of the submit button. */
  submit: string
  /** The action is destructive. */
  danger?: boolean
  /** Called while there is no `reason` against it. */
  onSubmit: (event: FormEvent<HTMLFormElement>) => unknown
  /** What it submits, if that takes time. */
  mutation?: { isPending: boolean; error: unknown }
  /** Why the form cannot be submitted yet. */
  reason?: string | undefined
  children: ReactNode
}

/** A form in a sheet at the right: fields, error, Cancel and submit. */
export function FormSheet(props: Props) {
  return (
    <Sheet {...props}>
      <Form {...props} />
    </Sheet>
  )
}

/** The same in a dialog, for one or two fields. */
export function FormDialog(props: Props) {
  return (
    <Dialog {...props}>
      <Form {...props} />
    </Dialog>
  )
}

function Form({ onClose, submit, danger = false, onSubmit, mutation, reason, children }: Props) {
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (reason === undefined) void onSubmit(event)
  }
  return (
    <form noValidate onSubmit={send} className="flex min-h-0 grow flex-col">
      <DialogBody>{children}</DialogBody>
      {/* outside of what scrolls, so that it is seen from a long form's button */}
      <div className="px-5 pb-4 empty:hidden">
        <ErrorNote error={mutation?.error} />
      </div>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look={danger ? 'danger' : 'primary'} busy={mutation?.isPending ?? false} reason={reason}>
          {submit}
        </Button>
      </DialogActions>
    </form>
  )
}

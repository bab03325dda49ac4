import { type ReactNode, useState } from 'react'
import { Button } from '../form/Button.tsx'
import { TextField } from '../form/Field.tsx'
import { ErrorNote } from '../page/ErrorNotice.tsx'
import { Dialog, DialogActions, DialogBody } from './Dialog.tsx'

type Props = {
  open: boolean
  onClose: () => void
  /** The question: "Revoke this secret?" */
  title: string
  /** The verb on the button. */
  action: string
  onConfirm: () => void
  /** What it does. The dialog stays open until that has succeeded. */
  mutation: { isPending: boolean; error: unknown }
  /** The consequences, most important first. */
  children: ReactNode
}

/** Asks before an action with serious consequences. Actions that can be undone show a toast with undo instead. */
export function Confirm({ open, onClose, title, action, onConfirm, mutation, children }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <DialogBody>
        <div className="text-13 text-ink-2">{children}</div>
        <ErrorNote error={mutation.error} />
      </DialogBody>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" busy={mutation.isPending} onClick={onConfirm}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** Requires a word to be typed. Only for actions that cannot be undone. */
export function TypeToConfirm({ word, ...props }: Props & { word: string }) {
  return (
    <Dialog open={props.open} onClose={props.onClose} title={props.title}>
      <TypeForm word={word} {...props} />
    </Dialog>
  )
}

function TypeForm({ word, onClose, action, onConfirm, mutation, children }: Props & { word: string }) {
  const [typed, setTyped] = useState('')
  const matches = typed === word
  return (
    <form
      className="flex min-h-0 grow flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        if (matches && !mutation.isPending) onConfirm()
      }}
    >
      <DialogBody>
        <div className="text-13 text-ink-2">{children}</div>
        <TextField
          label={`Type “${word}” to confirm`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoComplete="off"
          spellCheck={false}
        />
        <ErrorNote error={mutation.error} />
      </DialogBody>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          look="danger"
          busy={mutation.isPending}
          reason={matches ? undefined : `Type “${word}” first.`}
        >
          {action}
        </Button>
      </DialogActions>
    </form>
  )
}

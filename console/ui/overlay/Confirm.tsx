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
  /** Of the mutation. The dialog stays open until it has succeeded. */
  busy: boolean
  error: unknown
  /** The consequences, most important first. */
  children: ReactNode
}

/** Asks before an action with serious consequences. Actions that can be undone show a toast with undo instead. */
export function Confirm({ open, onClose, title, action, onConfirm, busy, error, children }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <DialogBody>
        <div className="text-13 text-ink-2">{children}</div>
        <ErrorNote error={error} />
      </DialogBody>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" busy={busy} onClick={onConfirm}>
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

function TypeForm({ word, onClose, action, onConfirm, busy, error, children }: Props & { word: string }) {
  const [typed, setTyped] = useState('')
  const matches = typed === word
  return (
    <form
      className="flex min-h-0 grow flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        if (matches && !busy) onConfirm()
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
        <ErrorNote error={error} />
      </DialogBody>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="danger" busy={busy} reason={matches ? undefined : `Type “${word}” first.`}>
          {action}
        </Button>
      </DialogActions>
    </form>
  )
}

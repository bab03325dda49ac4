import { Toast } from '@base-ui/react/toast'
import { failureOf, messageOf } from '../page/failure.ts'

/** Holds what is said in the corner; shown by Toasts.tsx. */
export const toasts = Toast.createToastManager()

const waiting: (() => void)[] = []
let shown = false

/** Called when the corner is on the page: the manager drops what is said before somebody listens, so it waits here. */
export function cornerIsShown(): void {
  shown = true
  for (const say of waiting.splice(0)) say()
}

function whenShown(say: () => void): void {
  if (shown) say()
  else waiting.push(say)
}

/** Long enough to read, decide and reach the button by keyboard. */
const UNDO_MS = 10_000

/** Says what happened; with `undo`, offers to take it back. */
export function toast(title: string, options: { description?: string; undo?: () => void } = {}): void {
  const { description, undo } = options
  whenShown(() => {
    const id = toasts.add({
      title,
      ...(description !== undefined && { description }),
      ...(undo && {
        timeout: UNDO_MS,
        actionProps: {
          children: 'Undo',
          // several may stand there: each says what it takes back
          'aria-label': `Undo: ${title}`,
          onClick: () => {
            toasts.close(id)
            undo()
          },
        },
      }),
    })
  })
}

/** Says what failed; what was called off by the person is no news to them. */
export function toastFailure(error: unknown): void {
  if (messageOf(error) === 'reauth-required') return
  const { title, advice, requestId } = failureOf(error)
  const description = [advice, requestId !== null && advice !== '' ? `Request ${requestId}` : '']
    .filter(Boolean)
    .join(' ')
  whenShown(() => {
    toasts.add({
      title,
      type: 'failure',
      priority: 'high',
      timeout: UNDO_MS,
      ...(description !== '' && { description }),
    })
  })
}

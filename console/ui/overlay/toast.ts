import { Toast } from '@base-ui/react/toast'
import { describeError, reasonOf } from '../page/errorMessage.ts'

/** The queue of toasts, shown by Toasts.tsx. */
export const toasts = Toast.createToastManager()

const waiting: (() => void)[] = []
let mounted = false

/** Called once Toasts.tsx is mounted. The manager drops toasts without a subscriber, so earlier ones wait here. */
export function viewportMounted(): void {
  mounted = true
  for (const add of waiting.splice(0)) add()
}

function whenMounted(add: () => void): void {
  if (mounted) add()
  else waiting.push(add)
}

/** Long enough to read, decide and reach the button by keyboard. */
const UNDO_MS = 10_000

/** Shows what happened; with `undo`, also an undo button. */
export function toast(title: string, options: { description?: string; undo?: () => void } = {}): void {
  const { description, undo } = options
  whenMounted(() => {
    const id = toasts.add({
      title,
      ...(description !== undefined && { description }),
      ...(undo && {
        timeout: UNDO_MS,
        actionProps: {
          children: 'Undo',
          // several toasts may be open: each button says what it undoes
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

/** Shows an error. Not if the person cancelled the sign-in that the request needed. */
export function toastError(error: unknown): void {
  if (reasonOf(error) === 'reauth-required') return
  const { title, advice, requestId } = describeError(error)
  const description = [advice, requestId !== null && advice !== '' ? `Request ${requestId}` : '']
    .filter(Boolean)
    .join(' ')
  whenMounted(() => {
    toasts.add({
      title,
      type: 'failure',
      priority: 'high',
      timeout: UNDO_MS,
      ...(description !== '' && { description }),
    })
  })
}

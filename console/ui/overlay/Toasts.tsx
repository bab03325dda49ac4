import { Toast } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import { useEffect } from 'react'
import { FLOATING } from './popup.ts'
import { toasts, viewportMounted } from './toast.ts'

/** Shows the toasts. F6 moves the focus to them. */
export function Toasts() {
  // runs after the provider's own effect, which subscribes to the manager
  useEffect(viewportMounted, [])
  return (
    <Toast.Provider toastManager={toasts} limit={3}>
      <Toast.Portal>
        <Toast.Viewport className="fixed bottom-4 left-1/2 z-50 flex w-[calc(100vw-2rem)] max-w-96 -translate-x-1/2 flex-col gap-2 outline-none">
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function List() {
  return Toast.useToastManager().toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className={`${FLOATING} rounded-panel data-ending-style:opacity-0 data-limited:hidden data-starting-style:opacity-0 transition-opacity ${toast.type === 'failure' ? 'border-block!' : ''}`}
    >
      <Toast.Content className="flex items-start gap-3 p-3 pl-4">
        <div className="min-w-0 grow py-1">
          <Toast.Title className="text-13 font-semibold wrap-anywhere" />
          <Toast.Description className="mt-0.5 text-12 text-ink-2 wrap-anywhere" />
        </div>
        <Toast.Action className="h-7 shrink-0 rounded-control border border-line-strong px-2.5 text-12 font-semibold hover:bg-sunken" />
        <Toast.Close
          aria-label="Dismiss"
          className="grid size-7 shrink-0 place-items-center rounded-control text-ink-2 hover:bg-sunken"
        >
          <X size={14} aria-hidden />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))
}

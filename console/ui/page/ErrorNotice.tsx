import { Button } from '../form/Button.tsx'
import { Copy } from '../text/Copy.tsx'
import { describeError } from './errorMessage.ts'

/** Stands in the place of what could not be loaded. Only what happened is announced: the id is another at each retry. */
export function ErrorPanel({ error, retrying, onRetry }: { error: unknown; retrying: boolean; onRetry: () => void }) {
  const { title, advice, requestId } = describeError(error)
  // what was refused on purpose would be refused again
  const hopeful = advice !== ''
  return (
    <div className="rounded-panel border border-block bg-block-bg p-4">
      <div role="alert">
        <p className="font-semibold">{title}</p>
        {hopeful && <p className="mt-1 max-w-136 text-13 text-pretty">{advice}</p>}
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        {hopeful && (
          <Button onClick={onRetry} busy={retrying}>
            {retrying ? 'Retrying…' : 'Retry now'}
          </Button>
        )}
        <RequestId id={requestId} />
      </div>
    </div>
  )
}

/** What the service refused a form with, in the form; nothing without an error. */
export function ErrorNote({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null
  const { title, advice, requestId } = describeError(error)
  return (
    <div role="alert" className="rounded-control border border-block bg-block-bg px-3 py-2 text-13">
      <p className="font-medium wrap-anywhere">{title}</p>
      {advice !== '' && <p className="mt-0.5">{advice}</p>}
      {advice !== '' && <RequestId id={requestId} />}
    </div>
  )
}

function RequestId({ id }: { id: string | null }) {
  if (id === null) return null
  return (
    <p className="flex flex-wrap items-center gap-x-1 text-12">
      Request <code className="font-mono wrap-anywhere">{id}</code>
      <Copy text={id} name="request id" />
    </p>
  )
}

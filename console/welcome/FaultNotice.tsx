import { Button } from '../ui/form/Button.tsx'
import { Copy } from '../ui/text/Copy.tsx'
import type { Fault } from './overview.ts'

/** Says what is wrong and what to do. The request id is not announced, because it changes with each retry. */
export function FaultNotice({ fault, retrying, onRetry }: { fault: Fault; retrying: boolean; onRetry: () => void }) {
  return (
    <div className="mt-4 rounded-panel border border-block bg-block-bg p-4">
      <div role="alert">
        <p className="font-semibold">{fault.title}</p>
        <p className="mt-1 max-w-160 text-13">{fault.advice}</p>
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button onClick={onRetry}>{retrying ? 'Retrying…' : 'Retry now'}</Button>
        {fault.requestId !== null && (
          <p className="flex flex-wrap items-center gap-x-3 text-12">
            Request <code className="font-mono wrap-anywhere">{fault.requestId}</code>
            <span className="-ml-2">
              <Copy text={fault.requestId} name="request id" />
            </span>
          </p>
        )}
      </div>
    </div>
  )
}

import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { Logger, runOnce } from 'graphile-worker'
import { onTestFinished } from 'vitest'
import { listen } from '../../sdk/testing/listen.ts'
import type { Resolve } from '../../server/kit/http/outbound.ts'
import { webhookTasks } from '../../server/queue.ts'
import type { TestApp } from './app.ts'

export type Received = { path: string; headers: IncomingHttpHeaders; body: string }

/** A server that records what it gets, for one test. `answer`: after it read the request; by default 200. */
export async function openReceiver(
  answer: RequestListener = (_, response) => response.end('thanks'),
): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = []
  const take = async (...[request, response]: Parameters<RequestListener>) => {
    received.push({ path: request.url ?? '', headers: request.headers, body: await text(request) })
    answer(request, response)
  }
  const server = await listen((request, response) => void take(request, response))
  onTestFinished(() => server.close())
  return { url: server.url, received }
}

/** Runs the webhooks that are due. */
export async function sendWebhooks(app: TestApp, resolve?: Resolve): Promise<void> {
  const { ctx, opened } = app
  const due = () =>
    app.rows(`select from graphile_worker.jobs where task_identifier = 'send_webhook' and run_at <= now()
      and locked_by is null and last_error is null`)
  // the end of a job is stored without waiting, and the next one of its queue can only begin then
  do {
    await runOnce({
      pgPool: opened.database.pool,
      noHandleSignals: true,
      parsedCronItems: [],
      logger: new Logger(() => () => {}),
      taskList: webhookTasks(ctx, resolve),
    })
  } while ((await due()).length > 0)
}

import type { TestApp } from './app.ts'
import { type Browser, type Called, cookieHeader } from './browser.ts'

export type ServerEvent = { event: string; id: string; data: unknown }

/** A subscription, as a browser would hold it. */
export type Listening = {
  /** The next event or error; undefined when the server ended the stream. */
  next(): Promise<ServerEvent | undefined>
  close(): void
}

/** Subscribes to a procedure; `lastEventId`: the position to continue from, as a browser sends it when it reconnects. */
export async function listen(
  app: Pick<TestApp, 'url'>,
  browser: Pick<Browser, 'cookies'>,
  procedure: string,
  input: unknown,
  lastEventId?: string,
): Promise<Listening> {
  const gone = new AbortController()
  const reply = await fetch(`${app.url}/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`, {
    signal: gone.signal,
    headers: {
      accept: 'text/event-stream',
      cookie: cookieHeader(browser.cookies),
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
  })
  const events = readEvents(reply)
  return {
    async next() {
      for (;;) {
        // an aborted stream has ended
        const { value } = await events.next().catch(() => ({ value: undefined }))
        if (value?.event !== 'connected' && value?.event !== 'ping') return value
      }
    },
    close: () => gone.abort(),
  }
}

async function* readEvents(reply: Response): AsyncGenerator<ServerEvent, undefined> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of reply.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    const whole = text.split('\n\n')
    text = whole.pop() ?? ''
    for (const lines of whole) {
      const fields = new Map([...lines.matchAll(/^(event|id|data): (.*)$/gm)].map(([, name, value]) => [name, value]))
      const data = fields.get('data')
      if (data === undefined) continue
      yield {
        event: fields.get('event') ?? 'message',
        id: fields.get('id') ?? '',
        data: data === '' ? undefined : (JSON.parse(data) as unknown),
      }
    }
  }
}

/** The first answer of a subscription, in the form of a query's. */
export async function answerOf(
  app: Pick<TestApp, 'url'>,
  browser: Pick<Browser, 'cookies'>,
  procedure: string,
  input: unknown,
): Promise<Called> {
  const listening = await listen(app, browser, procedure, input)
  const first = await listening.next()
  listening.close()
  if (first?.event !== 'serialized-error') return { status: 200, data: first?.data, message: '' }
  const { message, data } = first.data as {
    message: string
    data: { code: string; reason: string; httpStatus: number }
  }
  return { status: data.httpStatus, data: undefined, code: data.code, reason: data.reason, message }
}

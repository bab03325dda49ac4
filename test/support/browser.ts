import { randomBytes } from 'node:crypto'
import { hashPassword } from 'better-auth/crypto'
import { expect } from 'vitest'
import { ensurePerson } from '../../server/accounts/sessions/person.ts'
import { newId } from '../../server/kit/crypto/ids.ts'
import type { TestApp } from './app.ts'

export type Answer = { status: number; headers: Headers; text: string; body: Record<string, unknown> }

/** The answer of a procedure: its data, or the code, the reason and the sentence of its error. */
export type Called = { status: number; data: unknown; code?: string; reason?: string; message: string }

export const PASSWORD = 'correct horse battery'
/** Of the password; made once, because it is slow on purpose. */
let hash: Promise<string> | undefined

/** The cookies as a browser sends them. */
export const cookieHeader = (cookies: ReadonlyMap<string, string>): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/** A browser of the console, with cookies, an Origin header and its own address. */
export function createBrowser(app: Pick<TestApp, 'url' | 'ctx'>) {
  const cookies = new Map<string, string>()
  const origin = new URL(app.ctx.config.publicUrl).origin

  async function send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const reply = await fetch(app.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(method === 'POST' ? { origin, 'content-type': 'application/json' } : {}),
        cookie: cookieHeader(cookies),
        'x-forwarded-for': `10.${[...randomBytes(3)].join('.')}`,
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '' || /max-age=0/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    const text = await reply.text()
    // scripts of the page must not get what the cookie keeps from them
    for (const [name, value] of cookies)
      if (name.endsWith('session_token')) expect(text).not.toContain(value.split('.', 1)[0])
    const isJson = /json/.test(reply.headers.get('content-type') ?? '') && text !== ''
    const parsed: unknown = isJson ? JSON.parse(text) : {}
    const body_ = (typeof parsed === 'object' && parsed !== null ? parsed : {}) as Record<string, unknown>
    return { status: reply.status, headers: reply.headers, text, body: body_ }
  }

  function called({ status, body }: Answer): Called {
    const { result, error } = body as {
      result?: { data?: unknown }
      error?: { message?: string; data?: { code: string; reason: string } }
    }
    const { code, reason } = error?.data ?? {}
    return {
      status,
      data: result?.data,
      ...(code && { code }),
      ...(reason && { reason }),
      message: error?.message ?? '',
    }
  }

  const browser = {
    cookies,
    send,
    post: (path: string, body: unknown, headers?: Record<string, string>) => send('POST', path, body, headers),
    get: (path: string) => send('GET', path),
    query: async (procedure: string, input?: unknown) => {
      const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`
      return called(await send('GET', `/trpc/${procedure}${query}`))
    },
    mutate: async (procedure: string, input?: unknown, headers?: Record<string, string>) =>
      called(await send('POST', `/trpc/${procedure}`, input, headers)),
    signUp: (email: string, fields: Record<string, unknown> = {}) =>
      browser.post('/auth/sign-up/email', { email, password: PASSWORD, name: 'Ada', ...fields }),
    signIn: (email: string, password = PASSWORD) => browser.post('/auth/sign-in/email', { email, password }),
  }
  return browser
}

export type Browser = ReturnType<typeof createBrowser>

export type SignedIn = Browser & { userId: string; email: string }

/** Creates a person with a verified address, signed in, without memberships. */
export async function makePerson(app: Pick<TestApp, 'url' | 'ctx'>): Promise<SignedIn> {
  const email = `p${randomBytes(8).toString('hex')}@people.example`
  const { id } = await ensurePerson(app.ctx, { email, name: 'Pat Person' })
  hash ??= hashPassword(PASSWORD)
  await app.ctx.prisma.account.create({
    data: { id: newId(), userId: id, accountId: id, providerId: 'credential', password: await hash },
  })
  const browser = createBrowser(app)
  const reply = await browser.signIn(email)
  if (reply.status !== 200) throw new Error(`the sign-in failed: ${reply.status} ${reply.text}`)
  return { ...browser, userId: id, email }
}

/** Moves the person's sessions into the past, so that they are no longer fresh. */
export const ageSessions = (app: Pick<TestApp, 'sql'>, { userId }: Pick<SignedIn, 'userId'>, minutes: number) =>
  app.sql.query('update session set created_at = now() - make_interval(mins => $2) where user_id = $1', [
    userId,
    minutes,
  ])

/**
 * The token after `#token=` in the newest e-mail to the address, once it is another than the former one. better-auth's e-mails are
 * enqueued after the answer.
 */
export async function mailedToken(app: Pick<TestApp, 'emails'>, email: string, former = ''): Promise<string> {
  const token = async () => {
    const newest = (await app.emails()).find(({ to }) => to === email)
    return /#token=([^\s"&]+)/.exec(newest?.text ?? '')?.[1] ?? ''
  }
  await expect.poll(async () => ['', former].includes(await token())).toBe(false)
  return token()
}

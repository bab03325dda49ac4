// A shop around the guide's checkout.mjs. With the argument `tollgate.mjs`, the guide's client takes the SDK's place.
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { importBlock, readBlock } from './blocks.mjs'
import { drawForm, drawMessage, drawOrder } from './pages.mjs'

const { DATABASE_URL, SESSION_KEY, TOLLGATE_URL: url, TOLLGATE_SITEKEY: sitekey } = process.env
const isPlain = process.argv[2] === 'tollgate.mjs'
const address = isPlain ? new URL('withoutSdk.mjs', import.meta.url).href : import.meta.resolve('@tollgate/node')
const { hashSession, renderScript, renderWidget, TollgateError } = await import(address)
const { openForm, submit } = await importBlock('checkout.mjs', address)
const db = new pg.Pool({ connectionString: DATABASE_URL, max: 8 })
await db.query(readBlock('create table attempts'))

const SENT = 'This order was already sent with other content.'
const NOT_YET = 'We could not take your order yet.'
const EMPTY = { email: '', quantity: '1' }
const FRESH = new Set(['response-invalid', 'intent-expired', 'already-redeemed'])

async function show(session, typed, status, notice = '') {
  const { attemptId, intentId } = await openForm(db, session)
  const widget = renderWidget({ url, sitekey, intentId }) + renderScript({ url })
  return [status, drawForm({ ...typed, attemptId, widget, notice })]
}

async function take(session, fields) {
  const typed = { email: fields.get('email') ?? '', quantity: fields.get('quantity') ?? '' }
  const isValid = /^[\w.]+@[\w.]+$/.test(typed.email) && /^[1-9]$/.test(typed.quantity)
  const sent = { attemptId: fields.get('attempt'), token: fields.get('svc-captcha-response') }
  const { ok, code, again, isDone, frozen, payload } = await submit(db, session, {
    ...sent,
    payload: isValid ? typed : null,
  })
  if (ok) return [200, drawOrder(payload)]
  if (code === 'incomplete') return show(session, typed, 422, 'Please fill in every field and complete the check.')
  if (code === 'changed') return [409, drawMessage(SENT, isDone ? undefined : frozen)]
  if (code === 'foreign') return [403, drawMessage('Please open the form again.')]
  if (again) return [503, drawMessage(NOT_YET, frozen)]
  if (FRESH.has(code)) return show(session, typed, 409, 'The check has expired. Please send the form again.')
  return [500, drawMessage('Something is wrong on our side.')]
}

async function answer(request, response) {
  const cookie = /(?:^|; )session=([\w-]{43})/.exec(request.headers.cookie ?? '')?.[1]
  const id = cookie ?? randomBytes(32).toString('base64url')
  const session = hashSession(SESSION_KEY, id)
  const isSent = request.method === 'POST'
  const work = isSent ? take(session, new URLSearchParams(await text(request))) : show(session, EMPTY, 200)
  const [status, html] = await work.catch((error) => {
    console.error(error instanceof TollgateError ? error.code : error.name)
    return [error instanceof TollgateError ? 503 : 500, drawMessage(NOT_YET)]
  })
  if (!cookie) response.setHeader('set-cookie', `session=${id}; Path=/; HttpOnly; SameSite=Lax`)
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }).end(html)
}

const server = createServer((request, response) => {
  if (request.url === '/checkout') answer(request, response).catch(() => response.destroy())
  else response.writeHead(404).end()
})
server.listen(0, '127.0.0.1', () => console.log(`http://localhost:${server.address().port}`))

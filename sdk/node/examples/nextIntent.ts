// The route that renews intents with Next.js. Beside next.ts, with `export { POST } from '../nextIntent.ts'` in app/checkout/intent/route.ts.
import { renewCheckout } from './checkout.ts'

export async function POST(request: Request): Promise<Response> {
  const fields: unknown = await request.json().catch(() => undefined)
  const { status, headers, body } = await renewCheckout(
    request.headers.get('cookie'),
    typeof fields === 'object' && fields !== null ? { ...fields } : {},
  )
  return new Response(body, { status, headers })
}

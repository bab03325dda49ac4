// A checkout as a route handler of Next.js: put this into app/checkout/route.ts, with attempts.ts, checkout.ts, config.ts
// and pages.ts beside it. Create the tables with schema.sql. `next build` reads the same environment as `next start`.
import { type Answer, showCheckout, takeCheckout } from './checkout.ts'

const respond = ({ status, headers, body }: Answer) => new Response(body, { status, headers })

export async function GET(request: Request): Promise<Response> {
  return respond(await showCheckout(request.headers.get('cookie')))
}

export async function POST(request: Request): Promise<Response> {
  const fields = await request.formData().catch(() => new FormData())
  return respond(await takeCheckout(request.headers.get('cookie'), Object.fromEntries(fields)))
}

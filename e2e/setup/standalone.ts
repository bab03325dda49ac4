import { type RequestListener, request } from 'node:http'

/** Answers with one page, as a site without a framework would. `policy` is its content policy. */
export const answerWith =
  (markup: string, policy?: string): RequestListener =>
  (incoming, response) => {
    const found = incoming.url?.split('?', 1)[0] === '/'
    response.writeHead(found ? 200 : 204, {
      'content-type': 'text/html; charset=utf-8',
      ...(policy === undefined ? {} : { 'content-security-policy': policy }),
    })
    response.end(found ? `<!doctype html><html lang="en"><title>Standalone</title>${markup}</html>` : undefined)
  }

/** Forwards what is below `/tollgate` to the service, as a merchant's reverse proxy does; else a page with these headers. */
export const belowPath =
  (service: string, form: string, headers: Record<string, string>): RequestListener =>
  (incoming, reply) => {
    const path = /^\/tollgate(\/.*)/.exec(incoming.url ?? '')?.[1]
    if (path) {
      const { method = 'GET', headers } = incoming
      const forwarded = request(new URL(path, service), { method, headers }, (answer) => {
        reply.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(reply)
      })
      return void incoming.pipe(forwarded)
    }
    reply.writeHead(200, { 'content-type': 'text/html', ...headers })
    reply.end(`<!doctype html><html lang="en"><title>Own origin</title>
      <script src="/tollgate/widget.js" async></script>${form.replace(service, '/tollgate')}`)
  }

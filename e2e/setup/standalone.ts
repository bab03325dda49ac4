import { createServer } from 'node:http'

/** Serves one page at an origin of its own, as a site without a framework would. `policy` is its content policy. */
export async function servePage(markup: string, policy?: string): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const found = request.url?.split('?', 1)[0] === '/'
    response.writeHead(found ? 200 : 204, {
      'content-type': 'text/html; charset=utf-8',
      ...(policy === undefined ? {} : { 'content-security-policy': policy }),
    })
    response.end(found ? `<!doctype html><html lang="en"><title>Standalone</title>${markup}</html>` : undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the page has no port')
  return {
    url: `http://localhost:${address.port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

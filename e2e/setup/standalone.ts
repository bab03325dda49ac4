import { listen } from '../../sdk/testing/listen.ts'

/** Serves one page at an origin of its own, as a site without a framework would. `policy` is its content policy. */
export async function servePage(markup: string, policy?: string): Promise<{ url: string; close(): Promise<void> }> {
  const { url, close } = await listen((request, response) => {
    const found = request.url?.split('?', 1)[0] === '/'
    response.writeHead(found ? 200 : 204, {
      'content-type': 'text/html; charset=utf-8',
      ...(policy === undefined ? {} : { 'content-security-policy': policy }),
    })
    response.end(found ? `<!doctype html><html lang="en"><title>Standalone</title>${markup}</html>` : undefined)
  })
  return { url: `${url.replace('127.0.0.1', 'localhost')}/`, close }
}

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname } from 'node:path'
import { gzipSync } from 'node:zlib'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
}

/** The content of a path: a file, a text, or a function whose result is sent as JSON. */
export type Content = { readonly file: string } | { readonly text: string } | (() => unknown)

/** Serves `content` by path on loopback, compressed and to any origin, as a deployed service would. */
export async function serve(content: Readonly<Record<string, Content>>): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const found = content[path]
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
    if (!found || request.method === 'OPTIONS') return response.writeHead(found ? 204 : 404, headers).end()
    const [type, body] = render(path, found)
    response.writeHead(200, { ...headers, 'content-type': type, 'content-encoding': 'gzip' }).end(gzipSync(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return {
    url: `http://localhost:${address.port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function render(path: string, content: Content): [string, Buffer] {
  if (typeof content === 'function') return ['application/json', Buffer.from(JSON.stringify(content()))]
  if ('text' in content) return [TYPES[extname(path)] ?? 'text/html; charset=utf-8', Buffer.from(content.text)]
  return [TYPES[extname(content.file)] ?? 'text/javascript', readFileSync(content.file)]
}

/** The installed version of a package. */
export function versionOf(name: string): string {
  const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')) as { version: string }
  return version
}

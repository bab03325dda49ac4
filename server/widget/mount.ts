import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Content, contentOf, once, sendContent } from '../api/content.ts'
import { allowHeaders } from '../api/cors.ts'
import type { KeptFiles } from '../kit/db/keptFiles.ts'
import { listFiles, readScript, WIDGET } from './build.ts'

const TYPES = resolve('widget/types.ts')
const IMMUTABLE = 'public, max-age=31536000, immutable'
const BRIEF = 'public, max-age=300'
/** No other file is looked up, so that a path outside of the folder reveals nothing. */
const ASSET = /^[\w-]+\/[\w-]+\.\w+$/
/** The component requests the text of the page's language; an unknown language must not be an error in the page. */
const TEXT = /^text-[\w-]{8}\/[a-z-]{2,8}\.json$/
const MIME_TYPES: Readonly<Record<string, string>> = {
  '.js': 'application/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.wasm': 'application/wasm',
}

/** Serves the files that merchants' pages load, from any origin. `publicUrl` has no trailing slash. */
export function mountWidget(
  app: FastifyInstance,
  { publicUrl, version, kept }: { publicUrl: string; version: string; kept: KeptFiles },
): void {
  app.register(async (widget) => {
    widget.addHook('onRequest', async (_request, reply) => {
      void reply
        .header('access-control-allow-origin', '*')
        .header('cross-origin-resource-policy', 'cross-origin')
        // a page that is isolated starts only workers that are
        .header('cross-origin-embedder-policy', 'require-corp')
    })
    for (const path of ['/widget.js', '/widget/assets/*', '/widget-:rest'])
      widget.options(path, async (request, reply) => allowHeaders(request, reply))
    widget.get('/widget.js', async (_request, reply) => file(reply, WIDGET, 'widget.js', BRIEF))
    widget.get<{ Params: { '*': string } }>('/widget/assets/*', async (request, reply) => {
      const name = request.params['*']
      if (!ASSET.test(name)) return reply.callNotFound()
      if (existsSync(resolve(WIDGET, 'assets', name))) return file(reply, resolve(WIDGET, 'assets'), name, IMMUTABLE)
      const path = `widget/assets/${name}`
      const content = await kept.find(path)
      if (!content && TEXT.test(name)) return reply.code(204).header('cache-control', BRIEF).send()
      return sendKept(request, reply, path, content)
    })
    widget.get<{ Params: { rest: string } }>('/widget-:rest', async (request, reply) => {
      const { name } = await readScript()
      const asked = `widget-${request.params.rest}`
      return name === asked
        ? file(reply, WIDGET, 'widget.js', IMMUTABLE)
        : sendKept(request, reply, asked, await kept.find(asked))
    })
    widget.get('/widget.json', async (_request, reply) => {
      const { name, integrity } = await readScript()
      return reply
        .header('cache-control', BRIEF)
        .send({ version, src: `${publicUrl}/${name}`, integrity, files: await listFiles() })
    })
    const types = once(async () => contentOf(await readFile(TYPES), 'text/plain; charset=utf-8'))
    widget.get('/widget.d.ts', async (request, reply) => sendContent(request, reply, await types(), BRIEF))
  })
}

function file(reply: FastifyReply, root: string, name: string, cacheControl: string): FastifyReply {
  return reply.header('cache-control', cacheControl).sendFile(name, root, { cacheControl: false })
}

/** Files of other versions, for as long as they are cached. */
const CONTENTS = new WeakMap<Uint8Array, Content>()

/** A file of another version; `undefined` is one that no version had. */
function sendKept(request: FastifyRequest, reply: FastifyReply, path: string, zipped: Uint8Array | undefined) {
  if (!zipped) return reply.callNotFound()
  let content = CONTENTS.get(zipped)
  if (!content) {
    content = contentOf(gunzipSync(zipped), MIME_TYPES[extname(path)] ?? 'application/octet-stream', zipped)
    CONTENTS.set(zipped, content)
  }
  return sendContent(request, reply, content, IMMUTABLE)
}

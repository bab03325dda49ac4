import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'

const WIDGET = resolve('dist/widget')
const TYPES = resolve('widget/types.ts')
const IMMUTABLE = 'public, max-age=31536000, immutable'
const BRIEF = 'public, max-age=300'
/** The component asks for the text of whatever language a page is in; no page should see an error for that. */
const TEXT = /^text-[\w-]{8}\/[a-z-]{2,8}\.json$/

/** The component's script as it is now; `name` changes with its content. */
type Script = { name: string; integrity: string }

/** What the pages of merchants load, whatever their origin. `publicUrl` has no trailing slash. */
export function mountWidget(
  app: FastifyInstance,
  { publicUrl, version }: { publicUrl: string; version: string },
): void {
  app.register(async (widget) => {
    widget.addHook('onRequest', async (_request, reply) => {
      void reply
        .header('access-control-allow-origin', '*')
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('x-content-type-options', 'nosniff')
    })
    widget.get('/widget.js', async (_request, reply) => file(reply, WIDGET, 'widget.js', BRIEF))
    widget.get<{ Params: { '*': string } }>('/widget/assets/*', async ({ params: { '*': name } }, reply) =>
      TEXT.test(name) && !existsSync(resolve(WIDGET, 'assets', name))
        ? reply.code(204).header('cache-control', BRIEF).send()
        : file(reply, resolve(WIDGET, 'assets'), name, IMMUTABLE),
    )
    widget.get<{ Params: { rest: string } }>('/widget-:rest', async (request, reply) => {
      const { name } = await readScript()
      if (name !== `widget-${request.params.rest}`) return reply.callNotFound()
      return file(reply, WIDGET, 'widget.js', IMMUTABLE)
    })
    widget.get('/widget.json', async (_request, reply) => {
      const { name, integrity } = await readScript()
      const files = (await readdir(WIDGET, { recursive: true })).filter((name) => /\.(js|json|wasm)$/.test(name))
      return reply.header('cache-control', BRIEF).send({
        version,
        src: `${publicUrl}/${name}`,
        integrity,
        files: files.map((name) => name.replace(/^assets/, 'widget/assets')).toSorted(),
      })
    })
    widget.get('/widget.d.ts', async (_request, reply) =>
      reply
        .header('cache-control', BRIEF)
        .type('text/plain; charset=utf-8')
        .send(await readFile(TYPES, 'utf8')),
    )
  })
}

/** Read anew each time: a build may replace it while the service runs, and hashing it takes no time to speak of. */
async function readScript(): Promise<Script> {
  const code = await readFile(resolve(WIDGET, 'widget.js'))
  const digest = createHash('sha384').update(code).digest()
  return {
    name: `widget-${digest.toString('hex').slice(0, 16)}.js`,
    integrity: `sha384-${digest.toString('base64')}`,
  }
}

function file(reply: FastifyReply, root: string, name: string, cacheControl: string): FastifyReply {
  return reply.header('cache-control', cacheControl).sendFile(name, root, { cacheControl: false })
}

import { gzipSync } from 'node:zlib'

/** A script, and the same compressed. */
export type Bundle = { plain: string; zipped: Buffer }

/**
 * The reference's script, whole and from this process: nothing is fetched from other hosts. Its package hands it out
 * only through a route of its Fastify plugin, so it is asked there, in memory. 4 MB, loaded at the first request.
 */
export async function readBundle(): Promise<Bundle> {
  const [{ default: createApp }, { default: scalar }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ])
  const app = createApp()
  await app.register(scalar, { routePrefix: '/reference', configuration: { url: '/openapi.json' } })
  const { statusCode, payload } = await app.inject('/reference/js/scalar.js')
  if (statusCode !== 200) throw new Error(`@scalar/fastify-api-reference answered ${statusCode}`)
  return { plain: payload, zipped: gzipSync(payload) }
}

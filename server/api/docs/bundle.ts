/**
 * The API reference's script, served from this process so that nothing is loaded from other hosts. Its package provides it
 * only through a route of its Fastify plugin, so it is requested from that, in memory. 4 MB, loaded at the first request.
 */
export async function readBundle(): Promise<string> {
  const [{ default: createApp }, { default: scalar }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ])
  const app = createApp()
  await app.register(scalar, { routePrefix: '/reference', configuration: { url: '/openapi.json' } })
  const { statusCode, payload } = await app.inject('/reference/js/scalar.js')
  if (statusCode !== 200) throw new Error(`@scalar/fastify-api-reference answered ${statusCode}`)
  return payload
}

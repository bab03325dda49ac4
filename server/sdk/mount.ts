import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import type { KeptFiles } from '../kit/keptFiles.ts'
import type { Log } from '../kit/log.ts'
import type { Package } from './build.ts'

const IMMUTABLE = 'public, max-age=31536000, immutable'
const BRIEF = 'public, max-age=300'
const PACKAGE = /^[a-z][\w.-]*\.(?:tgz|whl)$/

/** A package as /sdk.json lists it. */
type Listed = {
  name: string
  version: string
  file: string
  url: string
  /** SHA-512 in base64, as npm writes it into a lockfile. */
  integrity: string
  /** In hex, for pip's `#sha256=`. */
  sha256: string
  /** The command that installs it. */
  install: string
}

type Parts = { publicUrl: string; packages: readonly Package[]; kept: KeptFiles; log: Log }

/**
 * The SDKs of this deployment, for npm and pip. A file never changes after it was first served, in any version of
 * the service: lockfiles contain its hash. `publicUrl` has no trailing slash.
 */
export function mountSdk(app: FastifyInstance, { publicUrl, packages, kept, log }: Parts): void {
  const own = new Map(packages.map(({ path, zipped }) => [path, zipped]))
  const read = async (path: string): Promise<Buffer | undefined> => {
    const content = (await kept.find(path)) ?? own.get(path)
    return content && gunzipSync(content)
  }

  async function list({ name, version, file, path }: Package): Promise<Listed> {
    const content = (await read(path)) ?? ''
    const sha256 = createHash('sha256').update(content).digest('hex')
    const url = `${publicUrl}/${path}`
    return {
      name,
      version,
      file,
      url,
      integrity: `sha512-${createHash('sha512').update(content).digest('base64')}`,
      sha256,
      install: file.endsWith('.whl') ? `pip install "${url}#sha256=${sha256}"` : `npm install ${url}`,
    }
  }

  app.addHook('onReady', async () => {
    for (const { path, zipped } of packages) {
      const content = await read(path)
      if (content?.equals(gunzipSync(zipped)) === false)
        log.warn(
          { path },
          'this SDK was changed without a new version; the file that was first served under this name is kept',
        )
    }
  })

  app.get('/sdk.json', async (_request, reply) =>
    reply
      .header('cache-control', BRIEF)
      .header('access-control-allow-origin', '*')
      .send({ packages: await Promise.all(packages.map(list)) }),
  )
  app.get<{ Params: { file: string } }>('/sdk/:file', async ({ params: { file } }, reply) => {
    const content = PACKAGE.test(file) ? await read(`sdk/${file}`) : undefined
    if (!content) return reply.callNotFound()
    return reply
      .header('cache-control', IMMUTABLE)
      .header('access-control-allow-origin', '*')
      .header('x-content-type-options', 'nosniff')
      .type(file.endsWith('.whl') ? 'application/zip' : 'application/gzip')
      .send(content)
  })
}

import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { type Content, contentOf, sendContent } from '../api/content.ts'
import type { KeptFiles } from '../kit/db/keptFiles.ts'
import type { Log } from '../kit/process/log.ts'
import { filesOf, type Package, type Sdks } from './build.ts'

const IMMUTABLE = 'public, max-age=31536000, immutable'
const BRIEF = 'public, max-age=300'
const FILE = /^[a-z][\w.-]*\.(?:tgz|whl|zip|provenance\.json)$/

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

type Parts = { publicUrl: string; sdks: Sdks; kept: KeptFiles; log: Log }

/**
 * The SDKs of this deployment, for npm, pip, Composer and WordPress. A file never changes after it was first served, in any version of
 * the service: lockfiles contain its hash. `publicUrl` has no trailing slash.
 */
export function mountSdk(app: FastifyInstance, { publicUrl, sdks, kept, log }: Parts): void {
  const { packages, provenance } = sdks
  const own = filesOf(sdks)
  /** By their compressed form, for as long as that is cached. */
  const unpacked = new WeakMap<Uint8Array, Unpacked>()
  const read = async (path: string): Promise<Unpacked | undefined> => {
    const zipped = (await kept.find(path)) ?? own.get(path)
    if (!zipped) return undefined
    let file = unpacked.get(zipped)
    if (!file) unpacked.set(zipped, (file = unpack(path, zipped)))
    return file
  }

  async function list({ name, version, file, path, zipped, composer, plugin }: Package): Promise<Listed> {
    const { integrity, sha256 } = (await read(path)) ?? unpack(path, zipped)
    const url = `${publicUrl}/${path}`
    const pip = file.endsWith('.whl') && `pip install "${url}#sha256=${sha256}"`
    const wordpress = plugin && `wp plugin install ${url} --activate`
    const install = (composer && composerCommand(publicUrl, name)) || pip || wordpress || `npm install ${url}`
    return { name, version, file, url, integrity, sha256, install }
  }

  /** A package as a Composer repository lists it: its composer.json and where its archive is. */
  async function listForComposer({ name, version, path, zipped, composer }: Package) {
    const { sha1 } = (await read(path)) ?? unpack(path, zipped)
    return [name, { [version]: { ...composer, dist: { type: 'zip', url: `${publicUrl}/${path}`, shasum: sha1 } } }]
  }

  app.addHook('onReady', async () => {
    for (const { path, zipped } of packages) {
      const file = await read(path)
      if (file?.content.plain.equals(gunzipSync(zipped)) === false)
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
      .send({
        packages: await Promise.all(packages.map(list)),
        ...(provenance ? { provenance: `${publicUrl}/${provenance.path}` } : {}),
      }),
  )
  app.get('/sdk/packages.json', async (_request, reply) => {
    const listed = await Promise.all(packages.filter(({ composer }) => composer).map(listForComposer))
    return reply.header('cache-control', BRIEF).send({ packages: Object.fromEntries(listed) })
  })
  app.get<{ Params: { file: string } }>('/sdk/:file', async (request, reply) => {
    const { file } = request.params
    const found = FILE.test(file) ? await read(`sdk/${file}`) : undefined
    if (!found) return reply.callNotFound()
    return sendContent(request, reply.header('access-control-allow-origin', '*'), found.content, IMMUTABLE)
  })
}

/** Composer refuses `http:` unless it is allowed, as for a deployment on this machine. */
const composerCommand = (publicUrl: string, name: string): string =>
  [
    ...(publicUrl.startsWith('http:') ? ['composer config secure-http false'] : []),
    `composer config repositories.tollgate composer ${publicUrl}/sdk`,
    `composer require ${name}`,
  ].join(' && ')

/** A package as it is sent, and its hashes; SHA-1 is the only one that Composer checks. */
type Unpacked = Pick<Listed, 'integrity' | 'sha256'> & { sha1: string; content: Content }

function unpack(path: string, zipped: Uint8Array): Unpacked {
  const file = gunzipSync(zipped)
  return {
    integrity: `sha512-${createHash('sha512').update(file).digest('base64')}`,
    sha256: createHash('sha256').update(file).digest('hex'),
    sha1: createHash('sha1').update(file).digest('hex'),
    content: path.endsWith('.json')
      ? contentOf(file, 'application/json; charset=utf-8', zipped)
      : // a package is compressed already
        contentOf(file, path.endsWith('.tgz') ? 'application/gzip' : 'application/zip', null),
  }
}

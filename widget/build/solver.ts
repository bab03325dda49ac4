import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'
import { compileHashwx } from '../../hashwx/compile.ts'
import { FILES } from '../solver/files.ts'
import { compileSearch } from './compile.ts'
import { javascript } from './dialects.ts'
import { writeSearch } from './write.ts'

const SEARCH = 'search:javascript'
const FOLDER = './solver/folder'

/** `search:javascript`: the search written in JavaScript. */
export function searchInJavascript(): Plugin {
  return {
    name: SEARCH,
    resolveId: (id) => (id === SEARCH ? `\0${SEARCH}` : undefined),
    load: (id) => (id === `\0${SEARCH}` ? writeSearch(javascript) : undefined),
  }
}

/**
 * `./solver/folder`: emits the solver's files and exports the path of their folder, whose name contains a hash of their
 * content, so that the component contains only one path.
 */
export function solverFolder(target: string, besideWidget: (file: string) => string): Plugin {
  return {
    name: FOLDER,
    resolveId: (id) => (id === FOLDER ? `\0${FOLDER}` : undefined),
    async load(id) {
      if (id !== `\0${FOLDER}`) return undefined
      const bundle = async (file: string) => {
        const { code, moduleIds } = await buildModule(file, target)
        for (const part of moduleIds) this.addWatchFile(part)
        return code
      }
      const contents: [string, string | Uint8Array][] = [
        [FILES.script, await bundle('../solver/script.ts')],
        [FILES.simd, await compileSearch('simd')],
        [FILES.scalar, await compileSearch('scalar')],
        [FILES.hashwx, await compileHashwx('emitter')],
      ]
      const hash = createHash('sha256')
      for (const [, content] of contents) hash.update(content)
      const folder = `assets/solver-${hash.digest('base64url').slice(0, 8)}/`
      for (const [file, source] of contents) this.emitFile({ type: 'asset', fileName: folder + file, source })
      return `export default ${JSON.stringify(besideWidget(folder))}`
    },
  }
}

/** Bundles a module with its imports into one file that keeps its exports. */
async function buildModule(file: string, target: string) {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [searchInJavascript()],
    build: {
      target,
      write: false,
      rolldownOptions: {
        input: fileURLToPath(new URL(file, import.meta.url)),
        preserveEntrySignatures: 'strict',
        output: { format: 'es' },
      },
    },
  })
  if (Array.isArray(built) || !('output' in built)) throw new TypeError('expected one build')
  return built.output[0]
}

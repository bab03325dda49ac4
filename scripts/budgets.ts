/**
 * Checks the download size of a visit against budgets, in bytes as sent with gzip; the component also with Brotli. Needs a build.
 *
 *   tsx scripts/budgets.ts
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FILES } from '../widget/solver/files.ts'

/** The used part of vite's manifest: the chunks that a chunk imports statically, and those imported for a route. */
type Chunk = { file: string; css?: string[]; imports?: string[]; dynamicImports?: string[]; isDynamicEntry?: boolean }

type Row = { what: string; bytes: number; budget: number }

const KB = 1000
const BUDGETS = {
  /** All JavaScript of the first page shown, for any page. */
  first: 220 * KB,
  /** What another page adds once its layout is loaded; a menu, with what dialogs and lists of values share with it. */
  later: 44 * KB,
  css: 12 * KB,
  /** What a visitor of a merchant downloads for English: the component, which is its own worker, and the search with vectors. */
  widget: 10.88 * KB,
  /** The same with Brotli, which browsers accept over HTTPS. */
  widgetWithBrotli: 9.94 * KB,
}

const ENTRY = 'index.html'
const TENANT = 'frame/TenantLayout.tsx'
const ACCOUNT = 'frame/AccountLayout.tsx'
/** The layout of a page, by its folder. The start page's layout and that for signing in are in the entry; all others have TENANT. */
const LAYOUTS: Readonly<Record<string, string>> = {
  welcome: ENTRY,
  session: ENTRY,
  account: ACCOUNT,
  onboarding: ACCOUNT,
}

const dist = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist')
/** The bytes sent: those of the compressed file, if there is one. */
const weigh = (file: string, extension: string): number => {
  const path = join(dist, file)
  return statSync(existsSync(path + extension) ? path + extension : path).size
}
const sum = (files: Iterable<string>, extension: '.gz' | '.br' = '.gz'): number =>
  [...files].reduce((bytes, file) => bytes + weigh(file, extension), 0)

function readManifest(): Record<string, Chunk> {
  return JSON.parse(readFileSync(join(dist, 'console/.vite/manifest.json'), 'utf8')) as Record<string, Chunk>
}

/** The files that a chunk cannot run without. */
function closure(manifest: Record<string, Chunk>, name: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[name]
  if (!chunk || seen.has(`console/${chunk.file}`)) return seen
  seen.add(`console/${chunk.file}`)
  for (const imported of chunk.imports ?? []) closure(manifest, imported, seen)
  return seen
}

function consoleRows(manifest: Record<string, Chunk>): Row[] {
  const together = (...names: string[]) => {
    const files = new Set<string>()
    for (const name of names) closure(manifest, name, files)
    return files
  }
  const layoutOf = (name: string) => LAYOUTS[name.split('/', 1)[0] ?? ''] ?? TENANT
  const routes = (manifest[ENTRY]?.dynamicImports ?? []).filter((name) => !/^(frame|ui)\//.test(name))
  if (routes.length === 0) throw new Error('the build has no pages: has its layout changed?')
  const first = routes.map((name) => ({
    what: `${name} first`,
    bytes: sum(together(ENTRY, layoutOf(name), name)),
    budget: BUDGETS.first,
  }))
  const later = Object.keys(manifest)
    .filter((name) => manifest[name]?.isDynamicEntry)
    .map((name) => {
      // the page that imports it is already loaded; the account pages are reached from a tenant's pages
      const askers = Object.keys(manifest).filter((asker) => manifest[asker]?.dynamicImports?.includes(name))
      const known = together(ENTRY, layoutOf(name), ...(layoutOf(name) === ACCOUNT ? [TENANT] : []), ...askers)
      const added = [...closure(manifest, name)].filter((file) => !known.has(file))
      return { what: `${name} later`, bytes: sum(added), budget: BUDGETS.later }
    })
  const css = new Set(Object.values(manifest).flatMap((chunk) => (chunk.css ?? []).map((file) => `console/${file}`)))
  return [...first, ...later, { what: 'styles of the console', bytes: sum(css), budget: BUDGETS.css }]
}

function widgetRows(): Row[] {
  const solver = readdirSync(join(dist, 'widget/assets')).find((name) => name.startsWith('solver-'))
  const files = ['widget/widget.js', `widget/assets/${solver}/${FILES.simd}`]
  const what = 'component with its solver, in English'
  return [
    { what, bytes: sum(files), budget: BUDGETS.widget },
    { what: `${what}, with Brotli`, bytes: sum(files, '.br'), budget: BUDGETS.widgetWithBrotli },
  ]
}

const rows = [...consoleRows(readManifest()), ...widgetRows()]
const over = rows.filter(({ bytes, budget }) => bytes > budget)
for (const { what, bytes, budget } of rows)
  console.log(
    `${bytes > budget ? 'OVER' : 'ok  '} ${(bytes / KB).toFixed(1).padStart(6)} of ${(budget / KB).toFixed(1).padStart(5)} kB  ${what}`,
  )
if (over.length > 0) {
  console.error(`${over.length} over budget. Load it when it is needed, or find something smaller.`)
  process.exit(1)
}

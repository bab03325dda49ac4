/**
 * Checks the downloads of a visit against budgets: requests, and bytes as sent with gzip, with the headers of the replies; the
 * component also with Brotli. Needs a build. e2e/console-speed.spec.ts measures the same in a browser.
 *
 *   tsx scripts/budgets.ts
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FILES } from '../widget/solver/files.ts'

/** The used part of vite's manifest: the chunks that a chunk imports statically, and those imported for a route. */
type Chunk = { file: string; css?: string[]; imports?: string[]; dynamicImports?: string[]; isDynamicEntry?: boolean }

/** An amount of bytes, unless it is one of requests. */
type Row = { what: string; amount: number; budget: number; unit?: 'requests' }

const KB = 1000
const BUDGETS = {
  /** All JavaScript of the first page shown, for any page, with the headers of the replies. */
  first: 237 * KB,
  /** Until the first page can be used: of the overview, and of the other pages, which load their own parts. */
  overviewRequests: 12,
  requests: 25,
  /** What another page adds once its layout is loaded; a menu, with what dialogs and lists of values share with it; headers included. */
  later: 51 * KB,
  css: 12 * KB,
  /** What a visitor of a merchant downloads for English: the component, which is its own worker, and the searches. */
  widget: 15.1 * KB,
  /** The same with Brotli, which browsers accept over HTTPS. */
  widgetWithBrotli: 14.1 * KB,
}

/** The headers of a reply with an asset; e2e/console-speed.spec.ts holds them below 600 bytes. */
const HEADER_BYTES = 500
/** Besides scripts and styles: the page, theme.js, the icon, a font, and the data in one batch. */
const OTHER_REQUESTS = 5

const ENTRY = 'index.html'
/** The overview and its layout, which console/vite.config.ts puts into one chunk. */
const OVERVIEW = /^_tenant-/
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
  if (!routes.some((name) => OVERVIEW.test(name))) throw new Error('the build has no chunk of the overview')
  const styles = new Set(Object.values(manifest).flatMap((chunk) => (chunk.css ?? []).map((file) => `console/${file}`)))
  const first = routes.flatMap((name): Row[] => {
    const files = together(ENTRY, layoutOf(name), name)
    return [
      { what: `${name} first`, amount: sum(files) + files.size * HEADER_BYTES, budget: BUDGETS.first },
      {
        what: `${name} first`,
        amount: files.size + styles.size + OTHER_REQUESTS,
        budget: OVERVIEW.test(name) ? BUDGETS.overviewRequests : BUDGETS.requests,
        unit: 'requests',
      },
    ]
  })
  const later = Object.keys(manifest)
    .filter((name) => manifest[name]?.isDynamicEntry)
    .map((name) => {
      // the page that imports it is already loaded; the account pages are reached from a tenant's pages
      const askers = Object.keys(manifest).filter((asker) => manifest[asker]?.dynamicImports?.includes(name))
      const known = together(ENTRY, layoutOf(name), ...(layoutOf(name) === ACCOUNT ? [TENANT] : []), ...askers)
      const added = [...closure(manifest, name)].filter((file) => !known.has(file))
      return { what: `${name} later`, amount: sum(added) + added.length * HEADER_BYTES, budget: BUDGETS.later }
    })
  return [...first, ...later, { what: 'styles of the console', amount: sum(styles), budget: BUDGETS.css }]
}

const COMPONENT = 'component with SHA-256 and HashWX, in English'

function widgetRows(): Row[] {
  const solver = readdirSync(join(dist, 'widget/assets')).find((name) => name.startsWith('solver-'))
  const files = ['widget/widget.js', `widget/assets/${solver}/${FILES.simd}`, `widget/assets/${solver}/${FILES.hashwx}`]
  return [
    { what: COMPONENT, amount: sum(files), budget: BUDGETS.widget },
    { what: `${COMPONENT}, with Brotli`, amount: sum(files, '.br'), budget: BUDGETS.widgetWithBrotli },
  ]
}

const rows = [...consoleRows(readManifest()), ...widgetRows()]
/** What README.md says of the component's size. */
const stated = `${((rows.find(({ what }) => what === COMPONENT)?.amount ?? 0) / KB).toFixed(1)} kB as sent`
if (!readFileSync('README.md', 'utf8').includes(stated)) {
  console.error(`README.md has another size of the component than "${stated}".`)
  process.exitCode = 1
}
const over = rows.filter(({ amount, budget }) => amount > budget)
for (const { what, amount, budget, unit } of rows) {
  const [shown, limit] = (unit ? [amount, budget] : [amount / KB, budget / KB]).map((n) => n.toFixed(unit ? 0 : 1))
  const state = amount > budget ? 'OVER' : 'ok  '
  console.log(`${state} ${shown?.padStart(6)} of ${limit?.padStart(5)} ${(unit ?? 'kB').padEnd(8)}  ${what}`)
}
if (over.length > 0) {
  console.error(`${over.length} over budget. Load it when it is needed, or find something smaller.`)
  process.exit(1)
}

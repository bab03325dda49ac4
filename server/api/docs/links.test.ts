import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { explainIntegration, INTEGRATION_CODES } from '../../contract/mistakes/integration.ts'
import { renderGuide } from './guide.ts'
import { GUIDES } from './pages.ts'

// The links from the console, the API reference, the SDKs and the examples to the documentation.

const ids = new Map<string, ReadonlySet<string>>(
  GUIDES.map(({ href, file }) => {
    const { html } = renderGuide(readFileSync(file, 'utf8'))
    return [href, new Set([...html.matchAll(/<(?:h\d|tr) id="([^"]+)"/g)].map(([, id = '']) => id))]
  }),
)

const leads = (address: string): boolean => {
  const [path = '', section] = address.split('#')
  return path === '/docs/api' || (ids.has(path) && (section === undefined || ids.get(path)?.has(section) === true))
}

/** The matches of the pattern's group in the sources below the folder, as `file: match`. */
const linksIn = (folder: string, pattern: RegExp) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(tsx?|py)$/.test(path) && !/\.test\.ts$|node_modules|(^|\/)dist\//.test(path))
    .flatMap((path) =>
      [...readFileSync(`${folder}/${path}`, 'utf8').matchAll(pattern)].map(([, link = '']) => ({
        from: `${folder}/${path}`,
        link,
      })),
    )

test('each link of the console to the documentation leads to a page and section', () => {
  const links = linksIn('console', /<DocsLink page="([^"]*)"/g)
  expect(links.length).toBeGreaterThan(6)
  expect(links.filter(({ link }) => !leads(link === '' ? '/docs' : `/docs/${link}`))).toEqual([])
})

test('each mistake that the doctor finds leads to a page and section', () => {
  const links = INTEGRATION_CODES.map((code) => explainIntegration(code, {}).docs)
  expect(links.length).toBeGreaterThan(12)
  expect(links.filter((link) => !leads(`/docs/${link}`))).toEqual([])
})

test('each link of the SDK’s doctor leads to a page and section', () => {
  const pattern = /'((?:errors|component|troubleshooting|quick-start|testing)(?:#[\w-]+)?)'/g
  const links = linksIn('sdk/node/src', pattern).filter(({ from }) => /doctor/.test(from))
  expect(links.length).toBeGreaterThan(12)
  expect(links.filter(({ link }) => !leads(`/docs/${link}`))).toEqual([])
})

test('each link of the API reference leads to a page and section', () => {
  const links = linksIn('server/api/openapi', /\]\((\/docs[^)]*)\)/g)
  expect(links.length).toBeGreaterThan(5)
  expect(links.filter(({ link }) => !leads(link))).toEqual([])
})

test('each address of the documentation in the SDKs and the examples leads to a page and section', () => {
  const links = ['sdk', 'examples', 'widget'].flatMap((folder) => linksIn(folder, /(\/docs\/[a-z][\w-]*(?:#[\w-]+)?)/g))
  expect(links.length).toBeGreaterThan(0)
  expect(links.filter(({ link }) => !leads(link))).toEqual([])
})

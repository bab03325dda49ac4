import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))

test('no page names the address of the docs, which a deployment can turn off', () => {
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /(?<!\.test)\.tsx?$/.test(path),
  )
  expect(sources).toContain('frame/DocsLink.tsx')
  const naming = sources.filter((path) => /['"`]\/docs\b/.test(readFileSync(root + path, 'utf8')))
  expect(naming).toEqual([])
})

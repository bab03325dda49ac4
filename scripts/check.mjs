// npm run check: types, lint, import rules, format, generated files, documents, schema. Exactly what CI runs before the tests.
import { buildSdks, EXTRAS, generate, install, tool } from './bootstrap.mjs'

await install(EXTRAS)
await generate()
await buildSdks()
const steps = {
  'types of the server': 'typescript/bin/tsc -p server --noEmit',
  'types of the widget': 'typescript/bin/tsc -p widget --noEmit',
  'types of the package of the component': 'typescript/bin/tsc -p sdk/widget --noEmit',
  'types of the function of pow-hashwx': 'typescript/bin/tsc -p hashwx/assembly',
  'types of the console': 'typescript/bin/tsc -p console --noEmit',
  'lint and import rules': 'oxlint/bin/oxlint -c oxlint.config.mjs --type-aware --deny-warnings',
  format: '@biomejs/biome/bin/biome check .',
  'generated files': 'tsx/dist/cli.mjs scripts/generate.ts check',
  documents: 'tsx/dist/cli.mjs scripts/documents.ts',
  schema: 'tsx/dist/cli.mjs scripts/schema.ts check',
}
for (const [what, line] of Object.entries(steps)) {
  const [program, ...args] = line.split(' ')
  await tool(what, program, args)
  console.log(`ok  ${what}`)
}

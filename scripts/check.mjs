// npm run check: types, lint, format, import rules, threats, schema. Exactly what CI runs before the tests.
import { buildSdk, EXTRAS, generate, install, tool } from './bootstrap.mjs'

await install(EXTRAS)
await generate()
await buildSdk()
console.log('ok  types of the SDK')
const steps = [
  ['types of the server', 'typescript/bin/tsc', ['-p', 'server', '--noEmit']],
  ['types of the widget', 'typescript/bin/tsc', ['-p', 'widget', '--noEmit']],
  ['types of the function of pow-hashwx', 'typescript/bin/tsc', ['-p', 'hashwx/assembly']],
  ['types of the console', 'typescript/bin/tsc', ['-p', 'console', '--noEmit']],
  ['lint', 'oxlint/bin/oxlint', ['--type-aware', '--deny-warnings']],
  ['format', '@biomejs/biome/bin/biome', ['check', '.']],
  ['import rules', 'tsx/dist/cli.mjs', ['scripts/modules.ts']],
  ['threats', 'tsx/dist/cli.mjs', ['scripts/threats.ts']],
  ['docs', 'tsx/dist/cli.mjs', ['scripts/docs.ts', 'check']],
  ['messages of the SDKs', 'tsx/dist/cli.mjs', ['scripts/messages.ts', 'check']],
  ['modules of pow-hashwx', 'tsx/dist/cli.mjs', ['scripts/hashwx.ts', 'check']],
  ['schema', 'tsx/dist/cli.mjs', ['scripts/schema.ts', 'check']],
]
for (const [what, program, args] of steps) {
  await tool(String(what), program, args)
  console.log(`ok  ${String(what)}`)
}

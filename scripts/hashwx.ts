/**
 * Compiles the modules of pow-hashwx (hashwx/assembly) into code, or checks that it is current: the verifier for the service, and
 * the emitter for the programs that test a deployment.
 *
 *   tsx scripts/hashwx.ts [check]
 *
 * They are committed because the service, its tests and these programs run from their sources, without the compiler: it is a
 * package of the build only, and takes nine seconds of processor time to be loaded by tsx.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { compileHashwx, type HashwxModule } from '../hashwx/compile.ts'

const FILES = {
  verifier: { file: 'server/captcha/challenges/kinds/hashwxModule.ts', name: 'HASHWX_MODULE' },
  emitter: { file: 'hashwx/emitterModule.ts', name: 'EMITTER_MODULE' },
} satisfies Record<HashwxModule, { file: string; name: string }>

for (const module of Object.keys(FILES) as HashwxModule[]) {
  const { file, name } = FILES[module]
  const bytes = Buffer.from(await compileHashwx(module)).toString('base64')
  const text = `/** hashwx/assembly/${module}.ts as WebAssembly, in base64. Written by scripts/hashwx.ts. */
export const ${name} =
  '${bytes}'
`
  if (process.argv[2] !== 'check') writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${file} is out of date. Run: npx tsx scripts/hashwx.ts`)
    process.exitCode = 1
  }
}

/**
 * Compiles the verifier of pow-hashwx (hashwx/assembly) into the service's code, or checks that it is current.
 *
 *   tsx scripts/hashwx.ts [check]
 *
 * It is committed because the service and its tests run from their sources, without the compiler, which is a package of
 * the build only.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { compileHashwx } from '../hashwx/compile.ts'

const FILE = 'server/captcha/challenges/kinds/hashwxModule.ts'

const module = Buffer.from(await compileHashwx('verifier')).toString('base64')
const text = `/** hashwx/assembly/verifier.ts as WebAssembly, in base64. Written by scripts/hashwx.ts. */
export const HASHWX_MODULE =
  '${module}'
`
if (process.argv[2] !== 'check') writeFileSync(FILE, text)
else if (readFileSync(FILE, 'utf8') !== text) {
  console.error(`${FILE} is out of date. Run: npx tsx scripts/hashwx.ts`)
  process.exit(1)
}

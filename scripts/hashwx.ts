import { compileHashwx, type HashwxModule } from '../hashwx/compile.ts'

const FILES = {
  verifier: { file: 'server/captcha/challenges/kinds/hashwxModule.ts', name: 'HASHWX_MODULE' },
  emitter: { file: 'hashwx/emitterModule.ts', name: 'EMITTER_MODULE' },
} satisfies Record<HashwxModule, { file: string; name: string }>

/**
 * The modules of pow-hashwx (hashwx/assembly) as code: the verifier for the service, and the emitter for the programs that test a
 * deployment. They are committed because these run from their sources, without the compiler: it is a package of the build only, and
 * takes nine seconds of processor time to be loaded by tsx.
 */
export async function hashwxFiles(): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for (const module of Object.keys(FILES) as HashwxModule[]) {
    const { file, name } = FILES[module]
    const bytes = Buffer.from(await compileHashwx(module)).toString('base64')
    files[file] = `/** hashwx/assembly/${module}.ts as WebAssembly, in base64. Written by scripts/generate.ts. */
export const ${name} =
  '${bytes}'
`
  }
  return files
}

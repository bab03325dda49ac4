import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The program of native/search.c. */
export type Native = {
  /** The engines that this CPU can run. */
  engines: string[]
  /** Million hashes per second of all threads together: of elapsed time, and of CPU time times threads. */
  rate(engine: string, threads: number, milliseconds: number): Promise<{ elapsed: number; cpu: number }>
  /** One nonce per puzzle, as the component sends them. */
  solve(engine: string, puzzle: { seed: Buffer; count: number; target: number }): Promise<Buffer>
  close(): void
}

/** Compiles the program with the machine's C compiler; undefined if there is none. */
export function compileNative(): Native | undefined {
  const compiler = ['cc', 'gcc', 'clang'].find((name) => {
    try {
      execFileSync(name, ['--version'], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  })
  if (compiler === undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-attack-'))
  const program = join(folder, 'search')
  const source = join(import.meta.dirname, '../native/search.c')
  execFileSync(compiler, ['-O3', '-Wall', '-Wextra', '-Werror', '-pthread', '-o', program, source], {
    stdio: 'inherit',
  })
  const ask = async (...args: string[]): Promise<string> => (await run(program, args)).stdout.trim()
  return {
    engines: execFileSync(program, ['engines'], { encoding: 'utf8' }).trim().split('\n'),
    async rate(engine, threads, milliseconds) {
      const [elapsed = 0, cpu = 0] = (await ask('rate', engine, String(threads), String(milliseconds)))
        .split(' ')
        .map((hashes) => Number(hashes) / 1e6)
      return { elapsed, cpu }
    },
    async solve(engine, { seed, count, target }) {
      return Buffer.from(await ask('solve', engine, seed.toString('hex'), String(count), String(target)), 'hex')
    },
    close: () => rmSync(folder, { recursive: true }),
  }
}

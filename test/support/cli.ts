import { expect } from 'vitest'
import type { TestApp } from './app.ts'
import { runCli, TEST_KEYS, type Words } from './process.ts'

/** The command line next to a running service; `json` expects success, and returns what it prints. */
export function cliOf(app: Pick<TestApp, 'databaseUrl'>) {
  const tollgate = (...words: Words[]) => runCli({ DATABASE_URL: app.databaseUrl, TOLLGATE_KEYS: TEST_KEYS }, ...words)
  const json = async (...words: Words[]): Promise<Record<string, string>> => {
    const { code, out, err } = await tollgate(...words, '--json')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out.trimEnd().split('\n')).toHaveLength(1)
    return JSON.parse(out) as Record<string, string>
  }
  return { tollgate, json }
}

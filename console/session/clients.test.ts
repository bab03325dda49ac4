import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const CONSOLE = join(import.meta.dirname, '..')

/** What sends a request, and the only files of the console that may: what these send waits for an ended session. */
const SENDERS: readonly [RegExp, string[]][] = [
  // the other one only subscribes
  [/createTRPCClient[<(]/, ['decisions/LiveUpdates.tsx', 'trpc.ts']],
  [/createAuthClient\(/, ['session/auth.ts']],
  // those of the clients, and of what is read without a session
  [
    /(?<![.\w])fetch\(/,
    ['frame/deployment.ts', 'frame/useDocsHeadings.ts', 'session/Card.tsx', 'session/auth.ts', 'trpc.ts'],
  ],
  [/XMLHttpRequest|sendBeacon/, []],
]

const sources = readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.test.ts'))
  .toSorted()
  .map((path) => ({ path, text: readFileSync(join(CONSOLE, path), 'utf8') }))

test.each(SENDERS)('%s is only where a session that has ended is asked for again', (sender, files) => {
  expect(sources.filter(({ text }) => sender.test(text)).map(({ path }) => path)).toEqual(files)
})

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { escapeHtml } from '../../kit/http/escape.ts'
import { BUILD } from '../../kit/process/build.ts'
import { once } from '../content.ts'
import type { Highlight } from './guide.ts'

/** The build writes it with scripts/highlight.ts: HTML by `keyOf`. */
const FILE = join(BUILD, 'code.json')

const built = once(
  () => new Map<string, string>(Object.entries(existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {})),
)

export const keyOf = (code: string, language: string): string => `${language}\n${code}`

/** Code as the build highlighted it; without colours if it was changed since. */
export const highlighted: Highlight = (code, language) => built().get(keyOf(code, language)) ?? escapeHtml(code)

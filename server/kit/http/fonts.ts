import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { BUILD } from '../process/build.ts'

const FONTS = join(BUILD, 'console/assets')

/** The console's typefaces, if it is built; their file names contain a hash. */
export function fontFaces(): string {
  const files = existsSync(FONTS) ? readdirSync(FONTS) : []
  return [
    { family: 'Inter Variable', prefix: 'inter-' },
    { family: 'JetBrains Mono Variable', prefix: 'jetbrains-mono-' },
  ]
    .map(({ family, prefix }) => {
      const file = files.find((name) => name.startsWith(prefix) && name.endsWith('.woff2'))
      return file === undefined
        ? ''
        : `@font-face { font-family: "${family}"; font-display: swap; font-weight: 100 900; src: url("/assets/${file}") format("woff2"); }\n`
    })
    .join('')
}

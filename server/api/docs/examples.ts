import { existsSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'

/** A file of an example program, and its page. */
export type Example = Readonly<{ href: string; name: string; group: string; language: string; file: string }>

/** By the last part of their address. */
const FOLDERS = {
  node: { group: 'Node.js', folder: 'sdk/node/examples' },
  python: { group: 'Python', folder: 'sdk/python/examples' },
  php: { group: 'PHP', folder: 'sdk/php/examples' },
  shop: { group: 'Demo shop', folder: 'examples/shop' },
}

/** The files that are served. A deployment that was copied without the examples serves the other pages. */
export const EXAMPLES: readonly Example[] = Object.entries(FOLDERS).flatMap(([key, { group, folder }]) =>
  (existsSync(resolve(folder)) ? readdirSync(resolve(folder)) : []).flatMap((name) => {
    const [, language] = /^\w+(?<!\.test)\.(ts|mjs|py|php|sql)$/.exec(name) ?? []
    return language === undefined
      ? []
      : [
          {
            href: `/docs/examples/${key}/${name}`,
            name,
            group,
            language: language === 'mjs' ? 'js' : language,
            file: `${folder}/${name}`,
          },
        ]
  }),
)

// The guide's code as it is printed. The hostname of its example becomes that of the kit.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const GUIDE = new URL('../../../../docs/backend.md', import.meta.url)

/** The one block of docs/backend.md whose text begins with `start`. */
export function readBlock(start) {
  const blocks = readFileSync(GUIDE, 'utf8').matchAll(/^```\w+\n([^]*?)^```$/gm)
  const found = [...blocks].flatMap(([, block = '']) => (block.startsWith(start) ? [block] : []))
  if (found.length !== 1) throw new Error(`docs/backend.md has ${found.length} blocks that begin with ${start}`)
  return found[0]
}

/** Imports a block of JavaScript, with the module at the address `sdk` as its SDK. */
export async function importBlock(name, sdk) {
  const code = readBlock(`// ${name}\n`)
    .replaceAll("'@tollgate/node'", `'${sdk}'`)
    .replaceAll("'shop.example'", "'localhost'")
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-guide-'))
  try {
    writeFileSync(join(folder, name), code)
    return await import(pathToFileURL(join(folder, name)).href)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

import { readFileSync } from 'node:fs'

/** The block of code that docs/component.md shows under this name: what is documented is what is tested. */
export function readGuide(name: string): string {
  const guide = readFileSync('docs/component.md', 'utf8')
  const block = guide.split('```').find((part) => part.split('\n', 2)[1] === `// ${name}`)
  if (!block) throw new Error(`docs/component.md shows no ${name}`)
  return block.slice(block.indexOf('\n') + 1)
}

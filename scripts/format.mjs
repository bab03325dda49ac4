// npm run format: formats, and sorts imports.
import { install, tool } from './bootstrap.mjs'

await install(['scripts'])
await tool('Formatting', '@biomejs/biome/bin/biome', ['check', '--write', '.'])

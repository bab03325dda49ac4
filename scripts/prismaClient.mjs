// Generates the database client in prisma/client: the generator of `prisma generate`, called without Prisma's command line,
// which, with its studio and development server, has 230 MB that are not needed here.
import { createRequire } from 'node:module'

// the ES module of the generator does not load in Node.js 20
const require = createRequire(import.meta.url)
const { PrismaClientTsGenerator } = require('@prisma/client-generator-ts')
const { getGenerator, loadSchemaContext } = require('@prisma/internals')

const generator = await getGenerator({
  schemaContext: await loadSchemaContext({ schemaPath: { cliProvidedPath: 'prisma' }, printLoadMessage: false }),
  registry: { 'prisma-client': { type: 'in-process', generator: new PrismaClientTsGenerator() } },
  cliCommand: 'generate',
  skipDownload: true,
})
await generator.generate()
generator.stop()

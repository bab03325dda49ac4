import { config } from 'zod/mini'

// Stops zod from compiling its parsers with `new Function`, which the content security policy forbids. Imported before any
// schema is created. The console uses zod/mini, which is 20 kB smaller than zod.
config({ jitless: true })

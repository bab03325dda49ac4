import { config } from 'zod/mini'

// zod (its small edition: the other one weighs 20 kB more) would compile its parsers with `new Function`, which the content security policy forbids. Imported before anything
// that makes a schema.
config({ jitless: true })

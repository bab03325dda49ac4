import { config } from 'zod'

// zod would compile its parsers with `new Function`, which the content security policy forbids. Imported before anything
// that makes a schema.
config({ jitless: true })

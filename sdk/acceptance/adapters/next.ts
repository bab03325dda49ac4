import { nodeExample } from './nodeExample.ts'

export default nodeExample('the example for Next.js', 'sdk/node/testing/serveNext.ts')

import { nodeExample } from './nodeExample.ts'

export default nodeExample('the example for Fastify', 'sdk/node/examples/fastify.ts')

import { merchant } from './merchant.ts'

export default merchant({ name: 'the example for Fastify', file: 'sdk/node/examples/fastify.ts' })

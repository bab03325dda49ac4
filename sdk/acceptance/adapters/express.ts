import { merchant } from './merchant.ts'

export default merchant({ name: 'the example for Express', file: 'sdk/node/examples/express.ts' })

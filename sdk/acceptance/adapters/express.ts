import { nodeExample } from './nodeExample.ts'

export default nodeExample('the example for Express', 'sdk/node/examples/express.ts')

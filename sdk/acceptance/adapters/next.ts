import { merchant } from './merchant.ts'

export default merchant({ name: 'the example for Next.js', file: 'sdk/node/testing/serveNext.ts' })

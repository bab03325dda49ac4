import { merchant } from './merchant.ts'

export default merchant({ name: 'the guide’s checkout.mjs', file: `${import.meta.dirname}/guide/serve.mjs` })

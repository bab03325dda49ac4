import { merchant } from './merchant.ts'

export default merchant({ name: 'the guide’s checkout.py', file: `${import.meta.dirname}/guide/serve.py` })

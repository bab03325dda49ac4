import { merchant, SHOP } from './merchant.ts'

export default merchant({ ...SHOP, name: 'the demo shop', file: 'examples/shop/main.ts' })

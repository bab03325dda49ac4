import { merchant, SHOP } from './merchant.ts'

export default merchant({
  ...SHOP,
  name: 'the demo shop in Python',
  file: 'examples/shop-python/shop.py',
  records: 'sqlite',
})

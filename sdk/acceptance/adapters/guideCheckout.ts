import { guideShop } from './guideShop.ts'

export default guideShop('the guide’s checkout.mjs', process.execPath, ['serve.mjs'])

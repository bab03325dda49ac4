import { guideShop } from './guideShop.ts'

export default guideShop('the guide’s tollgate.mjs', process.execPath, ['serve.mjs', 'tollgate.mjs'])

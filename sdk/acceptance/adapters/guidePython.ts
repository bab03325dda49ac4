import { guideShop } from './guideShop.ts'
import { PYTHON } from './python.ts'

export default guideShop('the guide’s checkout.py', PYTHON, ['serve.py'])

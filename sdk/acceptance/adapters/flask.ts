import { merchant, SIGNUP } from './merchant.ts'

export default merchant({
  ...SIGNUP,
  name: 'the example for Flask',
  file: 'sdk/python/examples/flask_app.py',
  table: 'subscribers',
})

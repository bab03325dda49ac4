import { merchant, SIGNUP } from './merchant.ts'

export default merchant({
  ...SIGNUP,
  name: 'the example for Django',
  file: 'sdk/python/examples/django_app.py',
  table: 'signup_subscriber',
})

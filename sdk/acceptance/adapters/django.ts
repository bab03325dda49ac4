import { pythonExample } from './pythonExample.ts'

export default pythonExample('the example for Django', 'sdk/python/examples/django_app.py', 'signup_subscriber')

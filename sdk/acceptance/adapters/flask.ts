import { pythonExample } from './pythonExample.ts'

export default pythonExample('the example for Flask', 'sdk/python/examples/flask_app.py', 'subscribers')

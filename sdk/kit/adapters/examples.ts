import { merchant, type Program } from './merchant.ts'

// The merchants of this project: the demo shop, and one example for each framework.

export const express = merchant({ name: 'the example for Express', file: 'sdk/node/examples/express.ts' })
export const fastify = merchant({ name: 'the example for Fastify', file: 'sdk/node/examples/fastify.ts' })
export const next = merchant({ name: 'the example for Next.js', file: 'sdk/node/testing/serveNext.ts' })

export const shop = merchant({
  name: 'the demo shop',
  file: 'examples/shop/main.ts',
  prefix: 'SHOP_',
  fields: {
    product: 'bell',
    quantity: '2',
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    address: '12 Example Street\nLondon',
  },
  changed: {
    product: 'saddle',
    quantity: '9',
    name: 'Grace Hopper',
    email: 'grace@example.com',
    address: '1 Other Road\nLondon',
  },
})

/** The examples of the SDKs for Python and PHP are sign-ups. */
const SIGNUP = {
  isGivenPort: true,
  records: 'sqlite',
  path: '/signup',
  fields: { email: 'ada@example.com' },
  changed: { email: 'grace@example.com' },
} satisfies Partial<Program>

export const flask = merchant({
  ...SIGNUP,
  name: 'the example for Flask',
  file: 'sdk/python/examples/flask_app.py',
  table: 'subscribers',
})

export const django = merchant({
  ...SIGNUP,
  name: 'the example for Django',
  file: 'sdk/python/examples/django_app.py',
  table: 'signup_subscriber',
})

export const php = merchant({
  ...SIGNUP,
  name: 'the example for PHP',
  file: 'sdk/php/examples/signup.php',
  table: 'subscribers',
})

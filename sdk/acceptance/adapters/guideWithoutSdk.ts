import { merchant } from './merchant.ts'

export default merchant({
  name: 'the guide’s tollgate.mjs',
  file: `${import.meta.dirname}/guide/serve.mjs`,
  args: ['tollgate.mjs'],
})

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from './setup/test.ts'

// it speaks with a worker in the page's place: a build that changes the messages would leave it waiting for ever
test('the bench of the solver measures all that it names', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', 'bench/solver.ts', '1'])
  const rates = [...stdout.matchAll(/^(\S.*?) +([\d.]+) MH\/s/gm)].map(([, name, rate]) => [name, Number(rate) > 0])
  expect(rates).toHaveLength(6)
  expect(rates.filter(([, measured]) => !measured)).toEqual([])
})

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from '../../e2e/setup/test.ts'

// it speaks with a worker in the page's place: a build that changes the messages would leave it waiting for ever
test('the bench of the solver measures all that it names', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', 'assurance/bench/solver.ts', '1'])
  const rates = [...stdout.matchAll(/^(\S.*?) +([\d.]+) MH\/s/gm)].map(([, name, rate]) => [name, Number(rate) > 0])
  expect(rates).toHaveLength(6)
  expect(rates.filter(([, measured]) => !measured)).toEqual([])
})

test('the bench of what a person waits measures each condition, and ends each visit with a valid token', async () => {
  const file = test.info().outputPath('person.json')
  const args = ['--rounds', '1', '--rates', '2', '--others', '2', '--json', file]
  await promisify(execFile)(process.execPath, ['--import', 'tsx', 'assurance/bench/person.ts', ...args])
  const { throttled, rows } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, number>[]>
  const measured = (row: Record<string, number> | undefined, names: string[]) =>
    names.filter((name) => !(Number(row?.[name]) > 0))
  expect(measured(throttled?.[0], ['worker', 'main'])).toEqual([])
  expect(rows).toHaveLength(8)
  for (const row of rows ?? []) expect(measured(row, ['visits', 'token', 'verification', 'cpu'])).toEqual([])
})

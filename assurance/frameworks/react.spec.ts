import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { bundle } from './bundle.ts'
import { expect, expectSignUp, sendEarly, test, worksWith } from './works.ts'

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
  },
}

test('the types that the service serves are those of the events and options', async ({ service }, testInfo) => {
  const folder = testInfo.outputPath('app')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG))
  writeFileSync(join(folder, 'tollgate.d.ts'), await (await fetch(`${service.url}/widget.d.ts`)).text())
  writeFileSync(
    join(folder, 'wrong.ts'),
    `document.body.addEventListener('svc-captcha:solved', ({ detail }) => detail.code)\nwindow.svcCaptcha?.render('#x', { size: 'huge' })`,
  )
  const tsc = resolve('node_modules/typescript/bin/tsc')
  const compile = promisify(execFile)(process.execPath, [tsc, '-p', folder, '--pretty', 'false'])
  const { stdout } = await compile.catch((error: { stdout: string }) => error)
  expect(stdout).toMatch(/wrong\.ts\(1,.*code/)
  expect(stdout).toMatch(/wrong\.ts\(2,.*huge/)
  expect(stdout.trim().split('\n')).toHaveLength(2)
})

test('a form action (`<form action={…}>`), sent early', worksWith('React'), async ({ page, open }) => {
  const app = await bundle(resolve('assurance/frameworks/package'), 'action.jsx', {
    alias: { 'react-dom': resolve('node_modules/react-dom'), react: resolve('node_modules/react') },
  })
  const shop = await open({ app, pages: { '/': () => '<main></main>' } })
  await sendEarly(page, () => page.goto(shop.url))
  await expectSignUp(page, shop)
})

import { boxOf, fieldsOf, type Site } from './shop.ts'
import { expectSignUp, hideAndShow, sendEarly, sendVerified, test, worksWith } from './works.ts'

const ALPINE = worksWith('Alpine.js', 'alpinejs')
const scripts = ['alpinejs/dist/cdn.js']
const TOGGLE = '<button type="button" @click="shown = !shown">Show or hide</button>'

/** A form in which `box` is the element of the component. */
const formWith = (box: (site: Site) => string) => (site: Site) =>
  `<form x-data="{ shown: true }" @submit.prevent="signUp($event)">${TOGGLE}${fieldsOf(site, box(site))}</form>`

test('a form with `@submit.prevent`, sent early', ALPINE, async ({ page, open }) => {
  const shop = await open({ scripts, form: formWith(boxOf) })
  await sendEarly(page, () => page.goto(shop.url))
  await expectSignUp(page, shop)
})

test('hidden by `x-if` and shown again', ALPINE, async ({ page, open }) => {
  const shop = await open({ scripts, form: formWith((site) => `<template x-if="shown">${boxOf(site)}</template>`) })
  await page.goto(shop.url)
  await hideAndShow(page)
  await sendVerified(page)
  await expectSignUp(page, shop)
})

test('hidden by `x-show` and shown again', ALPINE, async ({ page, open }) => {
  const shop = await open({ scripts, form: formWith((site) => boxOf(site, 'x-show="shown"')) })
  await page.goto(shop.url)
  await hideAndShow(page)
  await sendVerified(page)
  await expectSignUp(page, shop)
})

test('attributes set by `x-bind`', ALPINE, async ({ page, open }) => {
  const bound =
    '<div class="svc-captcha" :data-endpoint="site.endpoint" :data-sitekey="site.sitekey" :data-intent="site.intent"></div>'
  const shop = await open({ scripts, form: formWith(() => bound) })
  await sendEarly(page, () => page.goto(shop.url))
  await expectSignUp(page, shop)
})

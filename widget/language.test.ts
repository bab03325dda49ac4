import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTexts } from './build/text.ts'
import { createLanguages, PART, textTagOf } from './language.ts'

const TAGS = [...readTexts().keys()]

describe('the language', () => {
  it.each([
    ['de', 'de'],
    ['de-AT', 'de'],
    ['DE-at', 'de'],
    ['de_CH', 'de'],
    ['pt', 'pt'],
    ['pt-PT', 'pt'],
    ['pt-BR', 'pt-br'],
    ['sr-RS', 'sr'],
    ['sr-Latn-RS', 'sr-latn'],
    ['zh', 'zh'],
    ['zh-CN', 'zh'],
    ['zh-SG', 'zh'],
    ['zh-Hans-HK', 'zh'],
    ['zh-TW', 'zh-tw'],
    ['zh-Hant-HK', 'zh-hant'],
    ['zh-HK', 'zh-hk'],
    ['zh-MO', 'zh-mo'],
    ['no', 'no'],
    ['nn-NO', 'nn'],
    ['iw-IL', 'iw'],
    ['in', 'in'],
    ['tl-PH', 'tl'],
    ['en-GB', 'en'],
    ['tlh', 'tlh'],
    ['d', 'en'],
    ['de fr', 'de'],
    ['../de', 'en'],
    ['germanic', 'en'],
    ['', 'en'],
    ['-', 'en'],
  ])('for %s is %s', (requested, chosen) => {
    expect(textTagOf(requested)).toBe(chosen)
  })

  it('of every text is the tag of that text', () => {
    expect(TAGS.map(textTagOf)).toEqual(TAGS)
  })

  it.each([
    ['no', 'nb'],
    ['nn', 'nb'],
    ['iw', 'he'],
    ['in', 'id'],
    ['tl', 'fil'],
    ['zh-hant', 'zh-tw'],
    ['zh-hk', 'zh-tw'],
    ['zh-mo', 'zh-tw'],
  ])('of %s has the text of %s', (alias, tag) => {
    expect(readTexts().get(alias)).toBe(readTexts().get(tag))
  })
})

describe('a text', () => {
  const asked: string[] = []
  let server: Server
  let folder: URL

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? '')
      const text = request.url === '/text/de.json' ? readTexts().get('de') : undefined
      response.writeHead(text ? 200 : 404).end(text ?? '{"error":"not-found"}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
    folder = new URL(`http://127.0.0.1:${address.port}/text/`)
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))

  it('is loaded once for all regions', async () => {
    const load = createLanguages(folder)
    const [plain, austrian] = await Promise.all([load('de'), load('de-AT')])
    expect(plain).toMatchObject({ tag: 'de', text: { [PART.solved]: 'Geprüft' } })
    expect(austrian).toBe(plain)
    expect(asked).toEqual(['/text/de.json'])
  })

  it('is not loaded for English', async () => {
    const before = asked.length
    expect(await createLanguages(folder)('en-GB')).toMatchObject({ tag: 'en', text: { [PART.solved]: 'Verified' } })
    expect(asked).toHaveLength(before)
  })

  it('is English, with its tag, if there is no text', async () => {
    expect(await createLanguages(folder)('fr')).toMatchObject({ tag: 'en', text: { [PART.solved]: 'Verified' } })
    const nowhere = new URL('http://127.0.0.1:1/')
    expect(await createLanguages(nowhere)('de')).toMatchObject({ tag: 'en', text: { [PART.solved]: 'Verified' } })
  })
})

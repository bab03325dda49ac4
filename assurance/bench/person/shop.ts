import { createTestClient, newNonce } from '../../../test/support/client.ts'
import { type Content, serve } from '../browser/serve.ts'
import type { Bed } from '../verification/bed.ts'

const HOST = 'localhost'

/** A shop with a form behind the component, of two sites with the default difficulty: what a calm visitor gets. */
export async function openShop(bed: Bed) {
  const service = `http://${HOST}:${bed.port()}`
  const client = createTestClient(service)
  const sites = {
    sha256: await bed.addSite('Shop', undefined, HOST, { challengeKind: 'sha256' }),
    hashwx: await bed.addSite('Shop', undefined, HOST, { challengeKind: 'hashwx' }),
  }
  const pages: Record<string, Content> = {}
  const server = await serve(pages)
  return {
    close: () => server.close(),
    /** Adds a page of its own intent: its URL, and a function that redeems the token of the visit. */
    async openPage(kind: keyof typeof sites): Promise<{ url: string; redeem: (token: string) => Promise<void> }> {
      const site = sites[kind]
      const { body } = await client.intent(site, { hostname: HOST })
      const intent = String(body['intent_id'])
      const box = `<div class="svc-captcha" data-sitekey="${site.sitekey}" data-intent="${intent}" data-endpoint="${service}"></div>`
      pages[`/${intent}`] = {
        text: `<!doctype html><html lang="en"><title>Shop</title><script src="${service}/widget.js" async defer></script>
          <form><label>Comment <input name="comment"></label>${box}<button>Send</button></form></html>`,
      }
      return {
        url: `${server.url}/${intent}`,
        redeem: async (response) => {
          const { status, text } = await client.siteverify(site, {
            response,
            intent_id: intent,
            action: body['action'],
            hostname: HOST,
            idempotency_key: newNonce(),
          })
          if (status !== 200) throw new Error(`the token was refused: ${text}`)
        },
      }
    },
  }
}

export type Shop = Awaited<ReturnType<typeof openShop>>

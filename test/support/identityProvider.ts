import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { Provider } from 'oidc-provider'

export const CLIENT = { id: 'tollgate', secret: 'a secret of the client'.replaceAll(' ', '-') }

/** A person of the provider, by their subject. */
export type Claims = { email?: string; email_verified?: boolean; name?: string; groups?: string[]; amr?: string[] }

async function newKey() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const kid = crypto.randomUUID()
  return { privateKey, kid, jwk: { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' } }
}

/**
 * oidc-provider on a loopback port, whose sign-in page takes the subject. `forge` changes the claims of the next identity token,
 * signed with the provider's key or another one.
 */
export async function openIdentityProvider(port = 0) {
  let key = await newKey()
  let client: { redirectUri: string; logoutUri: string } | undefined
  let provider: Provider | undefined
  const people = new Map<string, Claims>()
  const idp = {
    issuer: '',
    people,
    down: false,
    forge: undefined as ((claims: JWTPayload) => JWTPayload) | undefined,
    forgeKey: undefined as Awaited<ReturnType<typeof newKey>> | undefined,
    newKey,
    /** `typ`: of the header, where null leaves it out. */
    sign: (claims: JWTPayload, typ: string | null = 'JWT', by = key) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: by.kid, ...(typ !== null && { typ }) })
        .sign(by.privateKey),
    register(registered: NonNullable<typeof client>) {
      if (registered.logoutUri !== client?.logoutUri) provider = undefined
      client = registered
    },
    async rotateKeys() {
      key = await newKey()
      provider = undefined
    },
    close: () => server.close().closeAllConnections(),
  }

  function create(): Provider {
    if (!client) throw new Error('no client is registered')
    return new Provider(idp.issuer, {
      jwks: { keys: [key.jwk] },
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [client.redirectUri],
          backchannel_logout_uri: client.logoutUri,
          backchannel_logout_session_required: true,
        },
      ],
      claims: { openid: ['sub', 'amr'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
      cookies: { keys: ['a key of the test'] },
      findAccount: (_ctx, sub) => ({
        accountId: sub,
        claims: () => ({ sub, ...people.get(sub) }),
      }),
      // it refuses to send logout tokens to loopback addresses
      fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined } as unknown as RequestInit),
      // nobody is asked for consent
      async loadExistingGrant(ctx) {
        const grant = new ctx.oidc.provider.Grant({
          clientId: ctx.oidc.client?.clientId ?? '',
          accountId: ctx.oidc.session?.accountId ?? '',
        })
        grant.addOIDCScope('openid email profile')
        await grant.save()
        return grant
      },
      ttl: { IdToken: 300, AccessToken: 300, Session: 3600, Grant: 3600, Interaction: 600 },
    })
  }

  /** The sign-in page of the provider, which believes everyone. */
  async function interact(request: IncomingMessage, response: ServerResponse, current: Provider): Promise<void> {
    if (request.method === 'GET') {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end('<form method="post"><label>Subject <input name="sub"></label> <button>Continue</button></form>')
      return
    }
    const accountId = new URLSearchParams(await text(request)).get('sub') ?? ''
    const amr = people.get(accountId)?.amr ?? ['pwd']
    await current.interactionFinished(request, response, { login: { accountId, amr } })
  }

  /** Replaces the identity token of the response. */
  function forging(response: ServerResponse): void {
    const end = response.end.bind(response)
    response.end = ((chunk: Buffer | string) => {
      const body = JSON.parse(String(chunk)) as { id_token?: string }
      void (async () => {
        if (body.id_token !== undefined && idp.forge)
          body.id_token = await idp.sign(idp.forge(decodeJwt(body.id_token)), 'JWT', idp.forgeKey ?? key)
        idp.forge = undefined
        idp.forgeKey = undefined
        const forged = JSON.stringify(body)
        response.setHeader('content-length', Buffer.byteLength(forged))
        end(forged)
      })()
      return response
    }) as typeof response.end
  }

  const server = createServer((request, response) => {
    if (idp.down) return void request.socket.destroy()
    const current = (provider ??= create())
    if (request.url?.startsWith('/interaction/')) return void interact(request, response, current)
    if (request.url === '/token' && idp.forge) forging(response)
    void current.callback()(request, response)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  idp.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return idp
}

export type IdentityProvider = Awaited<ReturnType<typeof openIdentityProvider>>

/**
 * Signs in at the provider as a browser of its own does, with `cookies` of the provider. Returns the path at the service to which
 * the browser is sent back.
 */
export async function signInAt(
  authorization: string,
  sub: string,
  cookies = new Map<string, string>(),
): Promise<string> {
  const { origin } = new URL(authorization)
  const visit = async (url: string, body?: URLSearchParams): Promise<Response> => {
    const reply = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(body && { method: 'POST', body }),
    })
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return reply
  }
  let reply = await visit(authorization)
  for (let steps = 0; steps < 10; steps++) {
    const location = new URL(reply.headers.get('location') ?? '', origin)
    if (reply.status < 300 || reply.status > 399)
      throw new Error(`the provider answered ${reply.status}: ${await reply.text()}`)
    if (location.origin !== origin) return location.pathname + location.search
    reply = location.pathname.startsWith('/interaction/')
      ? await visit(location.href, new URLSearchParams({ sub }))
      : await visit(location.href)
  }
  throw new Error('the provider redirects without end')
}

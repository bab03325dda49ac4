import { z } from 'zod'
import { ERRORS, type ErrorCode } from '../../contract/mistakes/errors.ts'
import { codesOf, ENDPOINTS, errorBody, PATHS, type Path } from '../endpoints.ts'
import { EXAMPLES } from './examples.ts'
import { ABOUT, OPERATIONS } from './operations.ts'
import { HEADERS, headersOf, type Json, json, TAGS } from './parts.ts'
import { SERVICE } from './service.ts'

export type OpenApi = {
  openapi: '3.1.0'
  info: Json
  servers: Json[]
  tags: Json[]
  paths: Record<string, Record<string, Json>>
  components: Record<'schemas' | 'responses' | 'headers' | 'parameters' | 'securitySchemes', Json>
}

/** A zod schema as JSON Schema of its input. */
function toSchema(schema: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' })
  return rest
}

const example = (code: ErrorCode): object =>
  code === 'bad-field' ? { error: 'bad-request', field: 'hostname' } : { error: code }

/** The display name of a code: `bad-field` is `bad-request` with a field on the wire. */
const named = (code: ErrorCode): string => (code === 'bad-field' ? '`bad-request` with `field`' : `\`${code}\``)

function refusal(path: Path, status: number, codes: ErrorCode[]): Json {
  const lines = codes.map((code) => `${named(code)}: ${ERRORS[code].cause} *${ERRORS[code].remedy}*`)
  return {
    description: lines.length === 1 ? lines.join('') : lines.map((line) => `- ${line}`).join('\n'),
    headers: headersOf(ENDPOINTS[path].caller, status, path),
    content: json(toSchema(errorBody(codes)), Object.fromEntries(codes.map((code) => [code, example(code)]))),
  }
}

/** `/grants/revoke` as `GrantsRevoke`. */
const schemaName = (path: Path): string => path.replace(/\/(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The path's refusals by status. Equal ones are shared under `components`. */
function refusals(path: Path, shared: Record<string, Json>): Json {
  const { caller } = ENDPOINTS[path]
  const codes = codesOf(path)
  return Object.fromEntries(
    [...new Set(codes.map((code) => ERRORS[code].status))].map((status) => {
      const here = codes.filter((code) => ERRORS[code].status === status)
      const name = [caller, ...here].join('.')
      shared[name] ??= refusal(path, status, here)
      return [status, { $ref: `#/components/responses/${name}` }]
    }),
  )
}

function post(path: Path, shared: Record<string, Json>): Json {
  const { caller } = ENDPOINTS[path]
  const { id: operationId, summary, description, done } = OPERATIONS[path]
  const { request, replies } = EXAMPLES[path]
  const schema = (part: 'Request' | 'Reply'): Json => ({ $ref: `#/components/schemas/${schemaName(path)}${part}` })
  return {
    operationId,
    tags: [TAGS[caller].name],
    summary,
    description,
    security: caller === 'backend' ? [{ secretKey: [] }] : [],
    ...(caller === 'component' ? { parameters: ['Origin', 'Facts'].map(parameter) } : {}),
    requestBody: { required: true, content: json(schema('Request'), { request }) },
    responses: {
      200: { description: done, headers: headersOf(caller, 200, path), content: json(schema('Reply'), replies) },
      ...refusals(path, shared),
    },
  }
}

const parameter = (name: string): Json => ({ $ref: `#/components/parameters/${name}` })

const preflight = (path: Path): Json => ({
  // sent by browsers: declared for tools, but not shown in the reference
  'x-scalar-ignore': true,
  operationId: `${OPERATIONS[path].id}Preflight`,
  tags: [TAGS.component.name],
  summary: 'Preflight',
  description: 'The CORS preflight request. It succeeds for every well-formed Origin and reveals nothing about a site.',
  security: [],
  parameters: [parameter('Origin')],
  responses: {
    204: {
      description:
        '`POST` with `Content-Type` and `Svc-Captcha-Facts` is allowed, without credentials. Valid for 600 s.',
      headers: Object.fromEntries(
        ['X-Request-Id', 'Cache-Control', 'Vary', 'Access-Control-Allow-Origin'].map((name) => [
          name,
          { $ref: `#/components/headers/${name}` },
        ]),
      ),
    },
    405: { $ref: '#/components/responses/component.method-not-allowed' },
  },
})

/**
 * The public API as an OpenAPI 3.1 document, generated from the schemas that validate and the error catalogue.
 * `url`: the URL of the service.
 */
export function describeApi({ url, version }: { url: string; version: string }): OpenApi {
  const responses: Record<string, Json> = {}
  const paths = PATHS.map((path) => [
    path,
    {
      post: post(path, responses),
      ...(ENDPOINTS[path].caller === 'component' ? { options: preflight(path) } : {}),
    },
  ])
  const schemas = PATHS.flatMap((path) => [
    [`${schemaName(path)}Request`, toSchema(ENDPOINTS[path].request)],
    [`${schemaName(path)}Reply`, toSchema(ENDPOINTS[path].reply)],
  ])
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tollgate',
      version,
      summary: 'Self-hosted captcha service with exactly-once billing',
      description: ABOUT,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url, description: 'This deployment' }],
    tags: Object.values(TAGS),
    paths: { ...Object.fromEntries(paths), ...SERVICE },
    components: {
      schemas: Object.fromEntries(schemas),
      responses,
      headers: HEADERS,
      parameters: {
        Origin: {
          name: 'Origin',
          in: 'header',
          required: true,
          description:
            'Set by the browser. Exactly `http(s)://host[:port]` in lower case. The host must be the intent’s hostname.',
          schema: { type: 'string', pattern: '^https?://[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$' },
          example: 'https://shop.example',
        },
        Facts: {
          name: 'Svc-Captcha-Facts',
          in: 'header',
          required: false,
          description:
            'What the component noticed about its visitor, separated by commas: `webdriver`, `idle`, `honeypot`. It can only raise the difficulty. Unknown names are ignored.',
          schema: { type: 'string' },
          example: 'idle',
        },
      },
      securitySchemes: {
        secretKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'tg_secret_…',
          description:
            'The site’s secret key: `Authorization: Bearer <SECRET_KEY>`. On your server only; never in a page, a body or a URL.',
        },
      },
    },
  }
}

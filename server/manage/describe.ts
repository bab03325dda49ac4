import { initTRPC } from '@trpc/server'
import { generateOpenApiDocument, type OpenApiMeta } from 'trpc-to-openapi'
import { z } from 'zod'
import { scopesOf } from '../contract/scopes.ts'
import { type Json, jsonSchema, toSnake } from './names.ts'
import { OPERATIONS, type Operation } from './operations.ts'
import { REPLIES } from './replies.ts'

/** A field as trpc-to-openapi reads it. What can also be sent as text in an address is described as what it is. */
function fieldOf(schema: z.ZodType, isText: boolean): z.ZodType {
  const json = jsonSchema(schema, 'input')
  const [first] = (json['anyOf'] ?? []) as Json[]
  const described = z.fromJSONSchema((isText && first) || json)
  return schema.safeParse(undefined).success ? described.optional() : described
}

const t = initTRPC.meta<OpenApiMeta>().create()

/** The procedure as trpc-to-openapi reads it. */
function procedureOf({ name, method, path, summary, tag, permission, concerns, fields }: Operation) {
  const isText = method === 'GET' || method === 'DELETE'
  const input = z.object(
    Object.fromEntries(Object.entries(fields).map(([field, schema]) => [toSnake(field), fieldOf(schema, isText)])),
  )
  const scopes = permission ? scopesOf(permission) : []
  const description = [
    scopes.length > 0 && `Needs the scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`,
    method === 'POST' && 'A repetition with the same `Idempotency-Key` and body within 24 hours gets the same reply.',
    concerns === 'sites' && permission && 'With a key for some sites, these sites alone.',
    concerns === 'tenant' && 'Needs a key for all sites.',
  ].filter((sentence) => sentence !== false)
  return t.procedure
    .meta({
      openapi: {
        method,
        path: path as `/${string}`,
        operationId: name,
        summary,
        tags: [tag.replace(/^./, (letter) => letter.toUpperCase())],
        ...(description.length > 0 && { description: description.join(' ') }),
        ...(method === 'POST' && { requestHeaders: z.object({ 'Idempotency-Key': z.string().max(255).optional() }) }),
        errorResponses: [...(method === 'GET' ? [] : [400, 413, 415]), 401, 403, 404, 409, 422, 429, 503],
      },
    })
    .input(input)
    .output(z.fromJSONSchema(jsonSchema(REPLIES[name] ?? z.object({}), 'output')))
    .query(() => ({}))
}

const ERROR = {
  type: 'object',
  properties: {
    error: { type: 'string', description: 'The reason, for programs.' },
    message: { type: 'string', description: 'A sentence for people that says what to do.' },
    field: { type: 'string', description: 'The field that is not valid.' },
  },
  required: ['error', 'message'],
}

/** The OpenAPI document of the management API. */
export function describeManage({ url, version }: { url: string; version: string }): object {
  const router = t.router(
    Object.fromEntries(OPERATIONS.map((each) => [each.name.replace('.', '_'), procedureOf(each)])),
  )
  const document = generateOpenApiDocument(router, {
    title: 'Tollgate management API',
    version,
    baseUrl: `${url}/v1`,
    description: `What the console does for a tenant, with an API key. [The guide](${url}/docs/manage) explains keys, limits and errors.`,
    securitySchemes: { key: { type: 'http', scheme: 'bearer', bearerFormat: 'tg_manage_…' } },
  })
  for (const name of Object.keys(document.components?.schemas ?? {}))
    if (name.startsWith('error.')) Object.assign(document.components?.schemas ?? {}, { [name]: ERROR })
  return document
}

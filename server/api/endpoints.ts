import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ERRORS, type ErrorCode } from '../contract/mistakes/errors.ts'
import {
  ChallengeReply,
  ChallengeRequest,
  FeedbackReply,
  FeedbackRequest,
  GrantReply,
  GrantRequest,
  IntentReply,
  IntentRequest,
  RevokeReply,
  RevokeRequest,
  SiteverifyReply,
  SiteverifyRequest,
  SolveReply,
  SolveRequest,
} from '../contract/wire.ts'

type Endpoint = {
  /** Who calls it: a backend with a secret key, or the component with an Origin. */
  caller: 'backend' | 'component'
  request: z.ZodObject
  reply: z.ZodType
  /** The error codes of this endpoint, in addition to those that every endpoint of its caller has. */
  codes: readonly ErrorCode[]
}

/**
 * The public API as data: callers, requests, replies and error codes. The route table is typed by it, the OpenAPI document
 * and docs/errors.md are generated from it, and the tests compare each reply with it.
 */
export const ENDPOINTS = {
  '/intents': {
    caller: 'backend',
    request: IntentRequest,
    reply: IntentReply,
    codes: ['site-disabled', 'grants-disabled', 'nonce-conflict', 'intent-expired', 'grant-invalid', 'quota-exceeded'],
  },
  '/siteverify': {
    caller: 'backend',
    request: SiteverifyRequest,
    reply: SiteverifyReply,
    codes: [
      'site-disabled',
      'response-invalid',
      'binding-mismatch',
      'intent-expired',
      'already-redeemed',
      'idempotency-conflict',
      'quota-exceeded',
    ],
  },
  '/feedback': {
    caller: 'backend',
    request: FeedbackRequest,
    reply: FeedbackReply,
    codes: ['site-disabled', 'feedback-closed', 'event-conflict', 'supersede-required', 'supersede-stale'],
  },
  '/grants': {
    caller: 'backend',
    request: GrantRequest,
    reply: GrantReply,
    codes: ['site-disabled', 'grants-disabled', 'grant-exists', 'grant-invalid'],
  },
  '/grants/revoke': { caller: 'backend', request: RevokeRequest, reply: RevokeReply, codes: [] },
  '/challenge': {
    caller: 'component',
    request: ChallengeRequest,
    reply: ChallengeReply,
    codes: ['site-disabled', 'intent-expired'],
  },
  '/solve': {
    caller: 'component',
    request: SolveRequest,
    reply: SolveReply,
    codes: ['site-disabled', 'intent-expired', 'challenge-expired', 'solution-invalid'],
  },
} as const satisfies Record<string, Endpoint>

export type Path = keyof typeof ENDPOINTS
export type PathOf<Caller extends Endpoint['caller']> = {
  [P in Path]: (typeof ENDPOINTS)[P]['caller'] extends Caller ? P : never
}[Path]

export const PATHS = Object.keys(ENDPOINTS) as Path[]

/** Whether it is a path of the API. Other methods than POST get `method-not-allowed` there. */
export const isPath = (path: string): path is Path => Object.hasOwn(ENDPOINTS, path)

/**
 * The path of the request's route; undefined if it has none. Fastify makes an object for each look at a route's options, so a
 * path of the API as it is written is not looked up.
 */
export const endpointOf = (request: FastifyRequest): string | undefined =>
  isPath(request.url) ? request.url : request.routeOptions.url

/** A field's name as it may be stored. An unknown name is text from the sender, so it becomes `*`. */
export const knownField = (path: Path, field: string): string =>
  Object.hasOwn(ENDPOINTS[path].request.shape, field) ? field : '*'

const EVERYWHERE: readonly ErrorCode[] = [
  'method-not-allowed',
  'unsupported-media-type',
  'payload-too-large',
  'bad-request',
  'secret-in-body',
  'bad-field',
  'rate-limited',
  'internal-error',
  'unavailable',
]
const PER_CALLER = {
  backend: ['unauthorized'],
  component: ['origin-not-allowed'],
} as const satisfies Record<Endpoint['caller'], readonly ErrorCode[]>

/** All codes that the path can answer, sorted by status. */
export function codesOf(path: Path): ErrorCode[] {
  const { caller, codes }: Endpoint = ENDPOINTS[path]
  return [...EVERYWHERE, ...PER_CALLER[caller], ...codes].toSorted((a, b) => ERRORS[a].status - ERRORS[b].status)
}

const FieldError = z.strictObject({
  error: z.literal('bad-request'),
  field: z.string().max(64).describe('The first offending field.'),
})

/** The body of a refusal with one of these codes: exactly `{"error": …}`, and `field` with `bad-field` alone. */
export function errorBody(codes: readonly ErrorCode[]): z.ZodType {
  const plain = codes.filter((code) => code !== 'bad-field')
  const PlainError = z.strictObject({ error: z.enum(plain) })
  if (plain.length === codes.length) return PlainError
  return plain.length === 0 ? FieldError : z.union([FieldError, PlainError])
}

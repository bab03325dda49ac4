import { headersOf, type Json, json, TAGS } from './parts.ts'

function get(operationId: string, summary: string, description: string, responses: Record<string, Json>): Json {
  return { get: { operationId, tags: [TAGS.service.name], summary, description, security: [], responses } }
}

const state = (description: string, status: number, value: Json, properties: Json): Json => ({
  description,
  headers: headersOf('service', status),
  content: json(
    { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
    { [String(value['status']).replace(' ', '-')]: value },
  ),
})

/** What else is served to machines. */
export const SERVICE: Record<string, Json> = {
  '/widget.js': get(
    'getWidget',
    'The component',
    'The script of the page. Its other files are immutable and named by their content.',
    {
      200: {
        description: 'JavaScript, for pages of every origin.',
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
          'Cache-Control': { schema: { const: 'public, max-age=300' } },
          'Access-Control-Allow-Origin': { schema: { const: '*' } },
          'Cross-Origin-Resource-Policy': { schema: { const: 'cross-origin' } },
        },
        content: { 'text/javascript': { schema: { type: 'string' } } },
      },
    },
  ),
  '/healthz': get('getHealth', 'Alive', 'Whether the process answers. Asks nothing of the database.', {
    200: state('It does.', 200, { status: 'ok' }, { status: { const: 'ok' } }),
  }),
  '/readyz': get(
    'getReadiness',
    'Ready for work',
    'Whether the database answers, its schema is up to date, and the process is not closing.',
    {
      200: state('It is.', 200, { status: 'ready' }, { status: { const: 'ready' } }),
      503: state(
        'It is not.',
        503,
        { status: 'not ready', reason: 'database unreachable' },
        {
          status: { const: 'not ready' },
          reason: { enum: ['closing', 'migrations missing', 'database unreachable'] },
        },
      ),
    },
  ),
}

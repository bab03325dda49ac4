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

const FOR_ANY_PAGE: Json = {
  'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
  'Cache-Control': { schema: { const: 'public, max-age=300' } },
  'Access-Control-Allow-Origin': { schema: { const: '*' } },
  'Cross-Origin-Resource-Policy': { schema: { const: 'cross-origin' } },
}

/** What else is served to machines. */
export const SERVICE: Record<string, Json> = {
  '/widget.js': get(
    'getWidget',
    'The component',
    'The script of the page. Its other files are immutable and named by their content.',
    {
      200: {
        description: 'JavaScript, for pages of every origin.',
        headers: FOR_ANY_PAGE,
        content: { 'text/javascript': { schema: { type: 'string' } } },
      },
    },
  ),
  '/widget.json': get(
    'getWidgetVersion',
    'The component, to be held to',
    'The address that never changes its content, for pages that set `integrity`, and all files that a copy needs.',
    {
      200: {
        description: 'What is served at present.',
        content: json(
          {
            type: 'object',
            properties: {
              version: { type: 'string' },
              src: { type: 'string', format: 'uri' },
              integrity: { type: 'string' },
              files: { type: 'array', items: { type: 'string' } },
            },
            required: ['version', 'src', 'integrity', 'files'],
            additionalProperties: false,
          },
          {
            current: {
              version: '0.1.0',
              src: 'https://tollgate.example/widget-0123456789abcdef.js',
              integrity: 'sha384-OLBgp1GsljhM2TJ+sbHjaiH9txEUvgdDTAzHv2P24donTt6/529l+9Ua0vFImLlb',
              files: ['widget.js', 'widget/assets/de-DjBAAEUo.json'],
            },
          },
        ),
        headers: FOR_ANY_PAGE,
      },
    },
  ),
  '/sdk.json': get(
    'getSdks',
    'The SDKs',
    'The packages of the SDKs, for npm and pip. The file at `url` never changes and stays there after an upgrade.',
    {
      200: {
        description: 'The current versions.',
        content: json(
          {
            type: 'object',
            properties: {
              packages: {
                type: 'array',
                items: {
                  type: 'object',
                  properties: {
                    name: { type: 'string', description: 'As npm or pip names it.' },
                    version: { type: 'string' },
                    file: { type: 'string' },
                    url: { type: 'string', format: 'uri' },
                    integrity: { type: 'string', description: 'SHA-512 in base64, as in a lockfile of npm.' },
                    sha256: {
                      type: 'string',
                      pattern: '^[0-9a-f]{64}$',
                      description: 'In hex, for `#sha256=` of pip.',
                    },
                    install: { type: 'string', description: 'The command that installs it.' },
                  },
                  required: ['name', 'version', 'file', 'url', 'integrity', 'sha256', 'install'],
                  additionalProperties: false,
                },
              },
            },
            required: ['packages'],
            additionalProperties: false,
          },
          {
            current: {
              packages: [
                {
                  name: '@tollgate/node',
                  version: '1.0.0',
                  file: 'tollgate-node-1.0.0.tgz',
                  url: 'https://tollgate.example/sdk/tollgate-node-1.0.0.tgz',
                  integrity:
                    'sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==',
                  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
                  install: 'npm install https://tollgate.example/sdk/tollgate-node-1.0.0.tgz',
                },
              ],
            },
          },
        ),
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
          'Cache-Control': { schema: { const: 'public, max-age=300' } },
          'Access-Control-Allow-Origin': { schema: { const: '*' } },
        },
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

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

/** The other machine-readable resources. */
export const SERVICE: Record<string, Json> = {
  '/widget.js': get(
    'getWidget',
    'The component',
    'The script for the page. It loads its other files as needed; those are immutable and named by their content.',
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
    'The current version of the component',
    'The versioned URL and hash of the script, for pages that set `integrity`, and all files needed for self-hosting.',
    {
      200: {
        description: 'The version that is served now.',
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
              version: '0.2.0',
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
    'The SDK packages for npm, pip and Composer. The file at `url` never changes and remains available after an upgrade.',
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
                    name: { type: 'string', description: 'The name of the package in npm, pip or Composer.' },
                    version: { type: 'string' },
                    file: { type: 'string' },
                    url: { type: 'string', format: 'uri' },
                    integrity: { type: 'string', description: 'SHA-512 in base64, as in an npm lockfile.' },
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
              provenance: {
                type: 'string',
                format: 'uri',
                description:
                  'An in-toto statement with SLSA provenance: the SHA-256 of each file, and the commit that they were built from.',
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
                  version: '0.2.0',
                  file: 'tollgate-node-0.2.0.tgz',
                  url: 'https://tollgate.example/sdk/tollgate-node-0.2.0.tgz',
                  integrity:
                    'sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==',
                  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
                  install: 'npm install https://tollgate.example/sdk/tollgate-node-0.2.0.tgz',
                },
              ],
              provenance: 'https://tollgate.example/sdk/tollgate-0.2.0.provenance.json',
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
  '/healthz': get('getHealth', 'Liveness', 'Whether the process answers. Does not use the database.', {
    200: state('The process is alive.', 200, { status: 'ok' }, { status: { const: 'ok' } }),
  }),
  '/readyz': get(
    'getReadiness',
    'Readiness',
    'Whether the database answers, its schema is up to date, its settings lose nothing, and the process is not shutting down.',
    {
      200: state('The service is ready.', 200, { status: 'ready' }, { status: { const: 'ready' } }),
      503: state(
        'The service is not ready.',
        503,
        { status: 'not ready', reason: 'database unreachable' },
        {
          status: { const: 'not ready' },
          reason: {
            enum: ['closing', 'migrations missing', 'database settings', 'clock', 'database unreachable', 'disk full'],
          },
        },
      ),
    },
  ),
}

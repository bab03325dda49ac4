import { readFileSync } from 'node:fs'

/** Where the version of the service stands besides package.json: the SDKs and the chart have the same. */
const PLACES = [
  'README.md',
  'deploy/helm/tollgate/Chart.yaml',
  'docs/backend.md',
  'docs/front-end.md',
  'docs/install.md',
  'docs/django.md',
  'docs/nextjs.md',
  'docs/manage.md',
  'docs/quick-start.md',
  'docs/wordpress.md',
  'examples/shop/package.json',
  'integrations/wordpress/includes/class-settings.php',
  'integrations/wordpress/readme.txt',
  'integrations/wordpress/tollgate.php',
  'prisma/seed/history.ts',
  'sdk/node/README.md',
  'sdk/node/examples/express.ts',
  'sdk/node/examples/fastify.ts',
  'sdk/node/package.json',
  'sdk/node/src/doctor.ts',
  'sdk/node/src/send.ts',
  'sdk/php/README.md',
  'sdk/php/composer.json',
  'sdk/php/src/Internal/Transport.php',
  'sdk/python/README.md',
  'sdk/python/examples/django_app.py',
  'sdk/python/examples/flask_app.py',
  'sdk/python/src/tollgate/version.py',
  'sdk/widget/README.md',
  'sdk/widget/package.json',
  'server/api/openapi/service.ts',
]
const VERSION =
  /(?<=^ {0,2}"?(?:version|appVersion|VERSION)"?(?:: | = )["']?|tollgate-(?:node|widget)[-/]|tollgate-doctor\/|tollgate_captcha-|tollgate-php-|tollgate-wordpress-|^ \* Version: |^Stable tag: |public const VERSION = '|"@tollgate\/node": "|tollgate:|version: ')\d+\.\d+\.\d+/gm

/** The files with the version of package.json. */
export function versionFiles(): Record<string, string> {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  return Object.fromEntries(
    PLACES.map((path) => {
      const text = readFileSync(path, 'utf8')
      if (!VERSION.test(text)) throw new Error(`${path} has no version`)
      return [path, text.replace(VERSION, version)]
    }),
  )
}

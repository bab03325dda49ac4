import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findPhp } from '../../scripts/php.mjs'
import { freePort } from '../../server/kit/process/freePort.ts'
import { hasProgram, makeFolder, type Running, startProgram } from '../deploy/proxy.ts'

const run = promisify(execFile)
const SOURCE = '/usr/share/wordpress'
const PROGRAMS = '/usr/sbin'
const FPM = (existsSync(PROGRAMS) ? readdirSync(PROGRAMS) : []).find((name) => /^php-fpm\d/.test(name)) ?? 'php-fpm'

/** Whether Debian's packages are installed: wordpress php-fpm php-mysql mariadb-server-core nginx. */
export const hasWordPress = (): boolean =>
  ['mariadbd', 'mariadb', 'nginx', FPM].every(hasProgram) && findPhp(['mysqli']) !== undefined && existsSync(SOURCE)

export type WordPress = {
  /** Address of the front page, without a trailing slash. */
  url: string
  /** The folder with WordPress's own files. */
  folder: string
  /** Runs PHP with WordPress loaded, and returns what it prints. */
  php(code: string): Promise<string>
  /** The rows of a statement, columns separated by tabs. */
  sql(statement: string): Promise<string>
  /** Adds PHP to wp-config.php; the returned function removes it. */
  configure(code: string): () => void
  /** Everything that nginx, PHP-FPM and WordPress logged. */
  logs(): string
  /** Removes all pages from the page cache. */
  purge(): void
  stop(): Promise<void>
}

/** The administrator of the installed WordPress. */
export const ADMIN = { name: 'ada', password: 'a password of a test' }

/**
 * Debian's WordPress in a folder of its own, freshly installed, with PHP-FPM, MariaDB, and nginx, which caches the pages of guests as
 * the manual of fastcgi_cache shows it. E-mail goes nowhere.
 */
export async function startWordPress(): Promise<WordPress> {
  const folder = makeFolder()
  const at = (name: string) => join(folder, name)
  const isRoot = process.getuid?.() === 0
  const [web, fpm, database] = [await freePort(), await freePort(), await freePort()]
  const url = `http://localhost:${web}`
  // Debian's wp-config.php reads /etc
  const site = at('wordpress')
  cpSync(SOURCE, site, { recursive: true, dereference: true, filter: (path) => !path.endsWith('wp-config.php') })
  const config = join(site, 'wp-config.php')
  const writeConfig = (more = '') => writeFileSync(config, wpConfig(url, database, at('debug.log'), more))
  writeConfig()

  const data = at('mysql')
  const owner = isRoot ? ['--user=root'] : []
  await run('mariadb-install-db', [
    '--no-defaults',
    `--datadir=${data}`,
    '--skip-test-db',
    '--auth-root-authentication-method=normal',
    ...owner,
  ])
  writeFileSync(at('fpm.conf'), fpmConfig(fpm, isRoot, at('php.log')))
  writeFileSync(at('nginx.conf'), nginxConfig(folder, web, fpm, isRoot))
  for (const name of ['mail', 'cache', 'tmp']) mkdirSync(at(name))
  const running: Running[] = []
  const start = async (name: string, args: string[], port: number) =>
    running.push(await startProgram(name, args, port, at(`of-${name}`)))
  await start(
    'mariadbd',
    [
      '--no-defaults',
      `--datadir=${data}`,
      `--port=${database}`,
      '--bind-address=127.0.0.1',
      `--socket=${at('mysql.sock')}`,
      // nothing has to survive the test
      '--innodb-flush-log-at-trx-commit=0',
      ...owner,
    ],
    database,
  )
  const client = ['--no-defaults', `--socket=${at('mysql.sock')}`, '-uroot', '--batch', '--skip-column-names']
  const sql = async (statement: string) => (await run('mariadb', [...client, '-e', statement, 'wordpress'])).stdout
  await run('mariadb', [...client, '-e', 'create database wordpress charset utf8mb4'])
  await start(FPM, ['-F', ...(isRoot ? ['-R'] : []), '-y', at('fpm.conf'), '-d', 'sendmail_path=/bin/true'], fpm)
  await start('nginx', ['-c', at('nginx.conf'), '-p', folder, '-e', at('nginx-error.log')], web)

  const reply = await fetch(`${url}/wp-admin/install.php?step=2`, {
    method: 'POST',
    body: new URLSearchParams({
      weblog_title: 'A WordPress of a test',
      user_name: ADMIN.name,
      admin_password: ADMIN.password,
      admin_password2: ADMIN.password,
      admin_email: 'ada@example.com',
      blog_public: '0',
    }),
  })
  const page = await reply.text()
  if (!page.includes('wp-login.php')) throw new Error(`WordPress was not installed: ${page}`)
  return {
    url,
    folder: site,
    sql,
    async php(code) {
      const program = `$_SERVER['HTTP_HOST'] = 'localhost:${web}'; require '${site}/wp-load.php'; ${code}`
      return (await run(findPhp(['mysqli']) ?? 'php', ['-d', 'sendmail_path=/bin/true', '-r', program])).stdout
    },
    configure(code) {
      writeConfig(code)
      return () => writeConfig()
    },
    logs: () =>
      ['access.log', 'nginx-error.log', 'php.log', 'debug.log']
        .map((name) => {
          try {
            return readFileSync(at(name), 'utf8')
          } catch {
            return ''
          }
        })
        .join(''),
    purge: () => {
      for (const name of readdirSync(at('cache'))) rmSync(join(at('cache'), name), { recursive: true })
    },
    async stop() {
      for (const program of running.toReversed()) await program.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const wpConfig = (url: string, port: number, log: string, more: string): string => `<?php
define( 'DB_NAME', 'wordpress' );
define( 'DB_USER', 'root' );
define( 'DB_PASSWORD', '' );
define( 'DB_HOST', '127.0.0.1:${port}' );
define( 'DB_CHARSET', 'utf8mb4' );
define( 'DB_COLLATE', '' );
define( 'WP_HOME', '${url}' );
define( 'WP_SITEURL', '${url}' );
define( 'WP_DEBUG', true );
define( 'WP_DEBUG_LOG', '${log}' );
define( 'WP_DEBUG_DISPLAY', false );
define( 'WP_HTTP_BLOCK_EXTERNAL', true );
define( 'DISABLE_WP_CRON', true );
define( 'FS_METHOD', 'direct' );
${['AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT', 'LOGGED_IN_SALT', 'NONCE_SALT'].map((name) => `define( '${name}', 'the ${name} of a test' );`).join('\n')}
${more}
$table_prefix = 'wp_';
if ( ! defined( 'ABSPATH' ) ) {
	define( 'ABSPATH', __DIR__ . '/' );
}
require_once ABSPATH . 'wp-settings.php';
`

const fpmConfig = (port: number, isRoot: boolean, log: string): string => `[global]
error_log = ${log}
[www]
${isRoot ? 'user = root\ngroup = root' : ''}
listen = 127.0.0.1:${port}
pm = static
pm.max_children = 14
catch_workers_output = yes
php_admin_value[upload_max_filesize] = 8M
php_admin_value[opcache.revalidate_freq] = 0
`

const nginxConfig = (folder: string, port: number, fpm: number, isRoot: boolean): string => `
daemon off;
pid ${folder}/nginx.pid;
${isRoot ? 'user root;' : ''}
events {}
http {
  include /etc/nginx/mime.types;
  access_log ${folder}/access.log;
  client_body_temp_path ${folder}/tmp/body;
  fastcgi_temp_path ${folder}/tmp/fastcgi;
  proxy_temp_path ${folder}/tmp/proxy;
  uwsgi_temp_path ${folder}/tmp/uwsgi;
  scgi_temp_path ${folder}/tmp/scgi;
  fastcgi_cache_path ${folder}/cache keys_zone=pages:1m inactive=60m;
  fastcgi_cache_key "$scheme$request_method$host$request_uri";
  map $http_cookie $is_known { default 0; ~wordpress_logged_in|comment_author|wp-postpass 1; }
  server {
    listen 127.0.0.1:${port};
    root ${folder}/wordpress;
    index index.php;
    client_max_body_size 8m;
    location / { try_files $uri $uri/ /index.php?$args; }
    location ~ \\.php$ {
      include /etc/nginx/fastcgi_params;
      # Debian's has no port
      fastcgi_param HTTP_HOST $http_host;
      fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name;
      fastcgi_pass 127.0.0.1:${fpm};
      fastcgi_read_timeout 60s;
      fastcgi_cache pages;
      fastcgi_cache_valid 200 10m;
      fastcgi_cache_bypass $is_known;
      fastcgi_no_cache $is_known;
      add_header X-Cache $upstream_cache_status always;
    }
  }
}
`

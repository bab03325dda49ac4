import type { RedisOptions } from 'ioredis'

/** Without what is a type parameter of the client. */
export type ClientOptions = Omit<RedisOptions, 'replyMapping'>

const SENTINELS =
  /^(rediss?)\+sentinel:\/\/(?:([^:@/?#]*):([^:@/?#]*)@)?([^@/?#]+)\/([\w.-]+)(?:\?sentinel_password=([^&#]+))?$/
const HOST = /^([\w.-]+|\[[\da-fA-F:]+\])(?::(\d{1,5}))?$/

/** How to find Redis: one server's URL, or the Sentinels that know the present primary. */
export type RedisAddress = string | ClientOptions

/**
 * Reads `redis://user:password@host:6379`, `rediss://…`, or `redis+sentinel://user:password@host:26379,host:26379/name` (and
 * `rediss+sentinel`, with TLS to all). User and password are Redis's; that of the Sentinels is `?sentinel_password=…` after the
 * name. Undefined if it is neither.
 */
export function readRedisUrl(text: string): RedisAddress | undefined {
  const [, scheme, user = '', password = '', hosts, name, sentinelPassword] = SENTINELS.exec(text) ?? []
  if (hosts === undefined || name === undefined)
    return /^rediss?:\/\//.test(text) && URL.canParse(text) ? text : undefined
  const sentinels = hosts.split(',').map((host) => HOST.exec(host))
  if (sentinels.some((host) => host === null || Number(host[2] ?? 0) > 65_535)) return undefined
  return {
    name,
    sentinels: sentinels.map((host) => ({
      host: host?.[1]?.replace(/^\[|\]$/g, '') ?? '',
      port: Number(host?.[2] ?? 26_379),
    })),
    ...(user !== '' && { username: decode(user) }),
    ...(password !== '' && { password: decode(password) }),
    ...(sentinelPassword !== undefined && { sentinelPassword: decode(sentinelPassword) }),
    ...(scheme === 'rediss' && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
    // an old primary that hangs keeps its connections open: the Sentinels' announcement ends them
    failoverDetector: true,
    sentinelRetryStrategy: (attempt) => Math.min(attempt * 200, 2000),
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

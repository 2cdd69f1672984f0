import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { isServedHost, isServedPath } from './routes.ts'
import type { Route } from './routes.ts'

/**
 * The header by which nginx tells which configuration it has, in its answers to hosts that nobody
 * serves.
 */
export const versionHeader = 'x-slipway-ingress'

/** A configuration, and the version that `versionHeader` then tells. */
export interface NginxConfiguration {
  readonly version: string
  readonly text: string
}

/**
 * nginx's configuration for these routes. All that comes from the cluster was checked before and is
 * checked here once more: what is no plain host, path or address is an error, never part of the
 * text.
 */
export function nginxConfiguration(routes: readonly Route[], listen: string): NginxConfiguration {
  const hosts = [...Map.groupBy(routes, ({ host }) => host)].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  )
  const servers = hosts.map(([host, own]) => server(listen, host, own))
  const described = JSON.stringify([general, listen, servers])
  const version = createHash('sha256').update(described).digest('hex').slice(0, 12)
  return { version, text: [general, defaultServer(listen, version), ...servers, '}\n'].join('\n') }
}

// Relative paths are below nginx's prefix. A client's own X-Forwarded headers are replaced: nobody
// is trusted before us.
const general = `# Written by the ingress controller of the local stack, which writes it again.
worker_processes 1;
pid nginx.pid;
error_log stderr warn;
worker_shutdown_timeout 600s;
events {
  worker_connections 4096;
}
http {
  access_log off;
  server_tokens off;
  default_type text/plain;
  merge_slashes off;
  absolute_redirect off;
  server_names_hash_bucket_size 512;
  server_names_hash_max_size 16384;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  scgi_temp_path scgi;
  uwsgi_temp_path uwsgi;

  client_max_body_size 100m;
  large_client_header_buffers 4 32k;
  proxy_http_version 1.1;
  proxy_request_buffering off;
  proxy_buffering off;
  proxy_buffer_size 32k;
  proxy_buffers 8 32k;
  proxy_connect_timeout 5s;
  proxy_read_timeout 3600s;
  proxy_send_timeout 3600s;
  map $http_upgrade $connection_to_target {
    default upgrade;
    '' close;
  }
  proxy_set_header Host $http_host;
  proxy_set_header Upgrade $http_upgrade;
  proxy_set_header Connection $connection_to_target;
  proxy_set_header Forwarded '';
  proxy_set_header X-Real-IP $remote_addr;
  proxy_set_header X-Forwarded-For $remote_addr;
  proxy_set_header X-Forwarded-Host $http_host;
  proxy_set_header X-Forwarded-Port $server_port;
  proxy_set_header X-Forwarded-Proto $scheme;
`

const notFound = String.raw`location / { return 404 "nothing is served here\n"; }`

function defaultServer(listen: string, version: string): string {
  return `  server {
    listen ${listen} default_server;
    server_name _;
    add_header ${versionHeader} "${version}" always;
    ${notFound}
  }`
}

function server(listen: string, host: string, routes: readonly Route[]): string {
  if (!isServedHost(host)) throw new Error('a host that must not get here')
  // A wildcard stands for one label; nginx's own would take any number of them.
  const name = host.startsWith('*.')
    ? `~^[^.]+${host.slice(1).replaceAll('.', String.raw`\.`)}$`
    : host
  return `  server {
    listen ${listen};
    server_name "${name}";
${locations(routes)}
  }`
}

function locations(routes: readonly Route[]): string {
  const exact = new Set(routes.flatMap(({ match, path }) => (match === 'exact' ? [path] : [])))
  const lines = routes.flatMap(({ match, path, target }) => {
    if (!isServedPath(path)) throw new Error('a path that must not get here')
    const action = actionOf(target)
    if (match === 'exact') return [`    location = "${path}" { ${action} }`]
    if (path === '/') return [`    location / { ${action} }`]
    const below = `    location ^~ "${path}/" { ${action} }`
    return exact.has(path) ? [below] : [`    location = "${path}" { ${action} }`, below]
  })
  const takesAll = routes.some(({ match, path }) => match === 'prefix' && path === '/')
  if (!takesAll) lines.push(`    ${notFound}`)
  return lines.toSorted().join('\n')
}

function actionOf(target: Route['target']): string {
  if (target === undefined) return String.raw`return 503 "there is nothing behind this address\n";`
  const { address, port } = target
  const family = isIP(address)
  if (family === 0 || !Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error('no address to proxy to')
  return `proxy_pass http://${family === 6 ? `[${address}]` : address}:${port};`
}

import type { Network } from '../../api/http/network.js';
import type { Config } from './types.js';

const masked = '***';

/**
 * The configuration as lines `name: value` for the log and for a person; keys, tokens, secrets and passwords are
 * masked.
 */
export function describeConfig(config: Config): string[] {
  const { platform, callbacks, sandbox, temporal, blobs } = config;
  const role = (key: string | undefined) => (key === undefined ? 'off' : masked);
  return [
    `data folder: ${config.dataDir}`,
    `status API and callback receiver: ${hostAndPort(config.http)}`,
    `temporal: ${temporal.external ? 'as TEMPORAL_* states' : `embedded, port ${temporal.port}, UI ${temporal.uiPort}`}`,
    `database: ${maskAddress(config.databaseUrl) ?? 'embedded'}`,
    `platform: ${maskAddress(platform.baseUrl) ?? 'embedded sandbox'}`,
    `channel key: ${role(platform.channelKey)}`,
    `supplier key: ${role(platform.supplierKey)}`,
    `callbacks: ${callbacks.port === undefined ? '' : `port ${callbacks.port}, `}${callbacks.auth}, ${callbacks.secrets.length} secret(s), from ${networksOf(callbacks.senders.allow) || 'any address'}`,
    `photos: ${blobs.kind === 'folder' ? blobs.path : `s3://${blobs.bucket}/${blobs.prefix}`}`,
    `alerts: ${maskAddress(config.alerts.url) ?? 'not posted'}`,
    `accepted callbacks: ${config.forward.url === undefined ? 'not forwarded' : `forwarded to ${maskAddress(config.forward.url)}`}`,
    `tokens: ${config.tokens.map(({ role, name }) => `${role}:${masked}:${name}`).join(', ') || 'none'}`,
    `identity provider: ${maskAddress(config.oidc?.issuer) ?? 'none'}`,
    `histories encrypted under: ${config.codec.keys.map(({ id }) => id).join(', ') || 'no key'}`,
    `sandbox: port ${sandbox.port}, fleet ${sandbox.fleet}, database ${maskAddress(sandbox.databaseUrl) ?? 'embedded'}, ` +
      `${sandbox.keys.length} key(s), callbacks to ${maskAddress(sandbox.callbackUrl) ?? 'the embedded receiver'}`,
    `wire profile: ${config.wireProfile}`,
    `log level: ${config.logLevel}`,
  ];
}

function hostAndPort({ host, port }: Pick<Config['http'], 'host' | 'port'>): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function networksOf(networks: readonly Network[]): string {
  return networks.map(({ address, prefix }) => `${address}/${prefix}`).join(', ');
}

/** An address without user, password, query and path beyond its start: a path may hold a callback secret. */
function maskAddress(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

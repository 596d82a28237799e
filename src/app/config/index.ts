import { resolve } from 'node:path';
import type { BlobPlace } from '../../store/photos/blob-place.js';
import { slots } from '../../temporal/worker/slots.js';
import { crossChecks, isExternalTemporal } from './checks.js';
import { withCodecKeysOfFile } from './codec-keys-file.js';
import type { Problem } from './problem.js';
import type { Config } from './types.js';
import { secretVariables, type Values, type VariableName, variables } from './variables.js';

export { describeConfig } from './describe.js';
export type { SandboxKey } from './lists.js';
export { policyOf } from './policy.js';
export type { Config } from './types.js';

/** Every problem of the environment at once, one line each. No secret stands in the message. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly problems: readonly Problem[]) {
    const lines = problems.map(({ variable, message }) => `  ${variable} ${message}`);
    super(`the configuration has ${problems.length} problem(s):\n${lines.join('\n')}`);
  }
}

const minute = 60_000;
const day = 24 * 60 * minute;

/**
 * Reads the environment (design, Public interface). An empty value counts as unset.
 * @param part `receives`: it receives callbacks, and needs the secrets that prove them
 * @throws `ConfigError` with every problem at once.
 */
export function loadConfig(
  env: Readonly<Record<string, string | undefined>>,
  part: { receives: boolean } = { receives: true },
): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && entry[1].trim() !== '',
    ),
  );
  const complete = withCodecKeysOfFile(given);
  const { values, problems } = readVariables(complete.env);
  problems.push(...complete.problems, ...crossChecks(complete.env, values, part));
  if (problems.length > 0) throw new ConfigError(problems);
  return toConfig(values, isExternalTemporal(complete.env));
}

function readVariables(env: Readonly<Record<string, string>>): { values: Values; problems: Problem[] } {
  const values: Record<string, unknown> = {};
  const problems: Problem[] = [];
  for (const [name, schema] of Object.entries(variables)) {
    const text = env[name]?.trim();
    if (text === undefined) continue;
    const result = schema.safeParse(text);
    if (result.success) values[name] = result.data;
    const shown = secretVariables.has(name as VariableName) ? '' : `(${JSON.stringify(text)}) `;
    for (const issue of result.error?.issues ?? []) {
      problems.push({ variable: name, message: `${shown}${issue.message}` });
    }
  }
  return { values: values as Values, problems };
}

function toConfig(v: Values, externalTemporal: boolean): Config {
  const dataDir = resolve(v.HANDOVER_DATA_DIR ?? '.handover');
  return {
    dataDir,
    http: {
      host: v.HANDOVER_HOST ?? '127.0.0.1',
      port: v.HANDOVER_PORT ?? 8080,
      drainMs: v.HANDOVER_DRAIN ?? 10_000,
    },
    worker: {
      port: v.WORKER_PORT ?? 8081,
      slots: {
        platform: v.WORKER_PLATFORM_SLOTS ?? slots.platform,
        bookings: v.WORKER_BOOKING_SLOTS ?? slots.bookings,
        scans: v.WORKER_SCAN_SLOTS ?? slots.scans,
        database: v.WORKER_DATABASE_SLOTS ?? slots.database,
      },
    },
    temporal: {
      external: externalTemporal,
      port: v.HANDOVER_TEMPORAL_PORT ?? 7233,
      uiPort: v.HANDOVER_TEMPORAL_UI_PORT ?? 8233,
      stackTraces: v.HANDOVER_STACK_TRACES === 'on',
      ...(v.TEMPORAL_DEPLOYMENT_NAME !== undefined && {
        deployment: {
          name: v.TEMPORAL_DEPLOYMENT_NAME,
          ...(v.TEMPORAL_WORKER_BUILD_ID !== undefined && { buildId: v.TEMPORAL_WORKER_BUILD_ID }),
        },
      }),
    },
    ...(v.DATABASE_URL !== undefined && { databaseUrl: v.DATABASE_URL }),
    platform: {
      ...(v.PLATFORM_BASE_URL !== undefined && { baseUrl: v.PLATFORM_BASE_URL }),
      ...(v.PLATFORM_CHANNEL_API_KEY !== undefined && { channelKey: v.PLATFORM_CHANNEL_API_KEY }),
      ...(v.PLATFORM_SUPPLIER_API_KEY !== undefined && { supplierKey: v.PLATFORM_SUPPLIER_API_KEY }),
      ...(v.PLATFORM_RATE !== undefined && { perSecond: v.PLATFORM_RATE }),
    },
    reconciliation: {
      everyMs: v.RECONCILE_EVERY ?? 15 * minute,
      days: v.RECONCILE_WINDOW ?? { back: 1, ahead: 30 },
    },
    callbacks: {
      auth: v.CALLBACK_AUTH ?? 'standard-webhooks',
      secrets: v.CALLBACK_SECRETS ?? [],
      expected: (v.CALLBACK_SECRETS?.length ?? 0) > 0,
      ...(v.CALLBACK_PORT !== undefined && { port: v.CALLBACK_PORT }),
      senders: { allow: v.CALLBACK_ALLOW ?? [], proxies: v.CALLBACK_PROXIES ?? [] },
    },
    intake: {
      backlogAfterMs: v.INTAKE_BACKLOG_AFTER ?? 5 * minute,
      silenceAfterMs: v.INTAKE_SILENCE_AFTER ?? 6 * 60 * minute,
      bodiesMs: v.INTAKE_RETENTION ?? 30 * day,
      verdictsMs: v.INTAKE_VERDICT_RETENTION ?? 365 * day,
    },
    blobs: blobsOf(v.BLOB_URL, dataDir),
    erasure: {
      reservationsMs: v.PERSONAL_DATA_RETENTION ?? 3 * 365 * day,
      photosMs: v.PHOTO_RETENTION ?? 365 * day,
    },
    tokens: v.HANDOVER_TOKENS ?? [],
    ...(v.CONSOLE_URL !== undefined && { consoleUrl: v.CONSOLE_URL }),
    ...oidcOf(v),
    docs: v.HANDOVER_DOCS !== 'off',
    alerts: {
      ...(v.ALERT_URL !== undefined && { url: v.ALERT_URL }),
      ...(v.ALERT_SECRET !== undefined && { secret: v.ALERT_SECRET }),
    },
    forward: {
      ...(v.FORWARD_URL !== undefined && { url: v.FORWARD_URL }),
      ...(v.FORWARD_SECRET !== undefined && { secret: v.FORWARD_SECRET }),
    },
    codec: {
      keys: v.CODEC_KEYS ?? [],
      bind: v.CODEC_BINDING !== 'off',
      writesDataKeys: v.CODEC_DATA_KEYS !== 'off',
      ...(v.CODEC_ENDPOINT_TOKEN !== undefined && { endpointToken: v.CODEC_ENDPOINT_TOKEN }),
      ...(v.CODEC_UI_ORIGIN !== undefined && { uiOrigin: v.CODEC_UI_ORIGIN }),
    },
    sandbox: {
      port: v.SANDBOX_PORT ?? 9090,
      ...(v.SANDBOX_DATABASE_URL !== undefined && { databaseUrl: v.SANDBOX_DATABASE_URL }),
      keys: v.SANDBOX_KEYS ?? [],
      ...(v.SANDBOX_CALLBACK_URL !== undefined && { callbackUrl: v.SANDBOX_CALLBACK_URL }),
      ...(v.SANDBOX_CALLBACK_SECRET !== undefined && { callbackSecret: v.SANDBOX_CALLBACK_SECRET }),
      fleet: v.SANDBOX_FLEET ?? 'small',
    },
    wireProfile: v.WIRE_PROFILE ?? 'default',
    logLevel: v.LOG_LEVEL ?? 'info',
    keyProbeMs: v.HANDOVER_KEY_PROBE ?? minute / 2,
    durations: {
      dispatchLeadMs: v.HANDOVER_DISPATCH_LEAD ?? 60 * minute,
      lateLadderMs: v.HANDOVER_LATE_LADDER ?? [15 * minute, 60 * minute, 120 * minute],
      recallOverdueMs: v.HANDOVER_RECALL_OVERDUE ?? 12 * 60 * minute,
      settleMs: v.HANDOVER_SETTLE ?? 24 * 60 * minute,
      dangerLeadMs: v.HANDOVER_DANGER_LEAD ?? 24 * 60 * minute,
      holdProposalMs: v.HANDOVER_HOLD_PROPOSAL ?? 24 * 60 * minute,
    },
  };
}

/** All of them are given, or none (`crossChecks`). */
function oidcOf({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: clientId,
  OIDC_CLIENT_SECRET: clientSecret,
  OIDC_ROLES: roles,
  CONSOLE_URL: consoleUrl,
}: Values): Pick<Config, 'oidc'> {
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return {};
  if (roles === undefined || consoleUrl === undefined) return {};
  return { oidc: { issuer, clientId, clientSecret, roles, consoleUrl } };
}

function blobsOf(place: BlobPlace | undefined, dataDir: string): BlobPlace {
  if (place === undefined) return { kind: 'folder', path: resolve(dataDir, 'blobs') };
  return place.kind === 'folder' ? { kind: 'folder', path: resolve(place.path) } : place;
}

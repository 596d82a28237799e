import { Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { NativeConnection, NativeConnectionOptions } from '@temporalio/worker';
import { loopback } from '../server/ports.js';
import { NotConnectedError } from './unavailable.js';

/** Address, namespace and connection options of a Temporal service. */
export interface TemporalTarget {
  address: string;
  namespace: string;
  options: Pick<NativeConnectionOptions, 'address' | 'tls' | 'apiKey' | 'metadata'>;
}

/** The service does not answer, or refuses the connection. */
class TemporalUnreachableError extends Error {
  override readonly name = 'TemporalUnreachableError';
}

/** The embedded engine, for example `127.0.0.1:7233`. */
export function embeddedTarget(address: string, namespace = 'default'): TemporalTarget {
  return { address, namespace, options: { address, tls: false } };
}

/**
 * An external Temporal service, from the `TEMPORAL_*` variables. A configuration file is read only where
 * `TEMPORAL_CONFIG_FILE` or `TEMPORAL_PROFILE` is set, so that a file in a home folder is not used by accident.
 */
export function externalTarget(env: NodeJS.ProcessEnv): TemporalTarget {
  const overrideEnvVars = Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
    ),
  );
  const disableFile = !('TEMPORAL_CONFIG_FILE' in overrideEnvVars || 'TEMPORAL_PROFILE' in overrideEnvVars);
  const { connectionOptions, namespace } = loadClientConnectConfig({ overrideEnvVars, disableFile });
  const { apiKey, tls, metadata } = connectionOptions;
  const address = connectionOptions.address ?? `${loopback}:7233`;
  return {
    address,
    namespace: namespace ?? 'default',
    options: {
      address,
      ...(apiKey !== undefined && { apiKey }),
      ...(tls !== undefined && { tls }),
      ...(metadata !== undefined && { metadata }),
    },
  };
}

/** gRPC's default time between two attempts grows to two minutes. Names are resolved again, because an outage may change them. */
const channelArgs = {
  'grpc.initial_reconnect_backoff_ms': 250,
  'grpc.max_reconnect_backoff_ms': 3_000,
  'grpc.dns_min_time_between_resolutions_ms': 3_000,
};

/** A client connection that opens by itself, also after each loss. While `isDown()`, it refuses calls at once. */
class GatedConnection extends Connection {
  isDown: () => boolean = () => false;

  /** @throws `NotConnectedError` */
  override async withDeadline<R>(deadline: number | Date, call: () => Promise<R>): Promise<R> {
    if (this.isDown()) throw new NotConnectedError();
    return super.withDeadline(deadline, call);
  }
}

/** A connection that opens at its first call. While `isDown()`, calls within `client.withDeadline` are refused. */
export function lazyConnection(target: TemporalTarget, isDown: () => boolean): Connection {
  const connection = GatedConnection.lazy({ ...target.options, channelArgs }) as GatedConnection;
  connection.isDown = isDown;
  return connection;
}

/** For probes: without interceptors, so each call is one attempt. */
export function probingConnection(target: TemporalTarget): Connection {
  return Connection.lazy({ ...target.options, channelArgs, interceptors: [] });
}

/** For clients: start, signal, update, query. @throws `TemporalUnreachableError` */
export async function connectClient(target: TemporalTarget): Promise<Connection> {
  return Connection.connect({ ...target.options, connectTimeout: '10s' }).catch((error) =>
    unreachable(target, error),
  );
}

/** For workers. Call `installRuntime` before. @throws `TemporalUnreachableError` */
export async function connectWorker(target: TemporalTarget): Promise<NativeConnection> {
  const local = /^(127\.|localhost|\[::1\])/.test(target.address);
  // compression only costs CPU where the data stays on this machine
  const compression = local ? { grpcCompression: { codec: 'none' as const } } : {};
  // the native core is large: processes without a worker do not load it
  const { NativeConnection } = await import('@temporalio/worker');
  return NativeConnection.connect({ ...target.options, ...compression }).catch((error) =>
    unreachable(target, error),
  );
}

function unreachable(target: TemporalTarget, error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw new TemporalUnreachableError(
    `Temporal at ${target.address} cannot be used (${reason}); check TEMPORAL_ADDRESS, TEMPORAL_TLS and TEMPORAL_API_KEY`,
    { cause: error },
  );
}

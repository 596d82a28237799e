import { Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { NativeConnection, type NativeConnectionOptions } from '@temporalio/worker';
import { loopback } from '../server/ports.js';
import { NotConnectedError } from './unavailable.js';

/** Which Temporal service to speak to, and how. */
export interface TemporalTarget {
  address: string;
  namespace: string;
  options: Pick<NativeConnectionOptions, 'address' | 'tls' | 'apiKey' | 'metadata'>;
}

/** The service does not answer, or refuses us. */
class TemporalUnreachableError extends Error {
  override readonly name = 'TemporalUnreachableError';
}

/** The embedded engine, e.g. `127.0.0.1:7233`. */
export function embeddedTarget(address: string, namespace = 'default'): TemporalTarget {
  return { address, namespace, options: { address, tls: false } };
}

/**
 * A Temporal service of one's own, as the `TEMPORAL_*` variables say. A configuration file is read only when
 * `TEMPORAL_CONFIG_FILE` or `TEMPORAL_PROFILE` asks for it, so that a file in a home folder is not used by accident.
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

/** Between two attempts to connect: gRPC's own default grows to two minutes. A name may lead elsewhere after an outage. */
const channelArgs = {
  'grpc.initial_reconnect_backoff_ms': 250,
  'grpc.max_reconnect_backoff_ms': 3_000,
  'grpc.dns_min_time_between_resolutions_ms': 3_000,
};

/** A connection of clients that opens by itself, again after each loss. While `isDown` says so its calls are refused at once. */
class GatedConnection extends Connection {
  isDown: () => boolean = () => false;

  /** @throws `NotConnectedError` */
  override async withDeadline<R>(deadline: number | Date, call: () => Promise<R>): Promise<R> {
    if (this.isDown()) throw new NotConnectedError();
    return super.withDeadline(deadline, call);
  }
}

/** Opens nothing yet. The calls of a `client.withDeadline` are refused while `isDown`. */
export function lazyConnection(target: TemporalTarget, isDown: () => boolean): Connection {
  const connection = GatedConnection.lazy({ ...target.options, channelArgs }) as GatedConnection;
  connection.isDown = isDown;
  return connection;
}

/** For probes: each call is one attempt. */
export function probingConnection(target: TemporalTarget): Connection {
  return Connection.lazy({ ...target.options, channelArgs, interceptors: [] });
}

/** For clients: start, signal, update, query. @throws `TemporalUnreachableError` */
export async function connectClient(target: TemporalTarget): Promise<Connection> {
  return Connection.connect({ ...target.options, connectTimeout: '10s' }).catch((error) =>
    unreachable(target, error),
  );
}

/** For workers. `installRuntime` comes first. @throws `TemporalUnreachableError` */
export async function connectWorker(target: TemporalTarget): Promise<NativeConnection> {
  const local = /^(127\.|localhost|\[::1\])/.test(target.address);
  // compressing what never leaves the machine only costs CPU
  const compression = local ? { grpcCompression: { codec: 'none' as const } } : {};
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

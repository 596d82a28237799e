import { Client, type Connection } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import type { Logger } from 'pino';
import type { Tracing } from '../../contract/tracing.js';
import type { StoredDataKeys } from '../../store/data-keys.js';
import { lazyConnection, probingConnection, type TemporalTarget } from '../connection/connection.js';
import { ConnectionMonitor } from '../connection/connection-monitor.js';
import { registerSearchAttributes } from '../search-attributes.js';
import { inTime } from './calls.js';
import { consoleLinkInterceptor } from './console-link.js';
import { tracingInterceptor } from './tracing.js';

/** A client of one service, with what its worker needs too. */
export interface TemporalClient {
  target: TemporalTarget;
  connection: Connection;
  client: Client;
  /** Encrypts; the worker's must be this one too. */
  dataConverter: DataConverter;
  /** Those of the converter; absent: everything is under the key ring. */
  dataKeys?: StoredDataKeys;
}

export interface OpenTemporal extends TemporalClient {
  monitor: ConnectionMonitor;
}

const probeWithinMs = 3_000;
/** The server takes some seconds to learn new search attributes. */
const prepareWithinMs = 20_000;

interface ClientOptions {
  tracing?: Tracing | undefined;
  /** Origin at which browsers reach the console. */
  consoleUrl?: string | undefined;
}

/** A client over a connection that is there. */
export function createTemporalClient(
  target: TemporalTarget,
  connection: Connection,
  dataConverter: DataConverter,
  { tracing, consoleUrl }: ClientOptions = {},
): TemporalClient {
  const workflow = [
    ...(consoleUrl === undefined ? [] : [consoleLinkInterceptor(consoleUrl)]),
    ...(tracing === undefined ? [] : [tracingInterceptor(tracing)]),
  ];
  const client = new Client({
    connection,
    namespace: target.namespace,
    dataConverter,
    interceptors: { workflow },
  });
  return { target, connection, client, dataConverter };
}

/**
 * A client that connects, once its `monitor` is started, when the service is there: this neither waits for it nor fails
 * without it.
 * @param onUnreachable called once per outage, with its cause
 */
export function openTemporalClient(
  target: TemporalTarget,
  dataConverter: DataConverter,
  {
    log,
    onUnreachable,
    ...options
  }: ClientOptions & {
    log: Logger;
    onUnreachable?: ((reason: string) => void) | undefined;
  },
): OpenTemporal & { close(): Promise<void> } {
  const { namespace } = target;
  const probing = probingConnection(target);
  const within = <T>(ms: number, signal: AbortSignal, call: () => Promise<T>) =>
    probing.withAbortSignal(signal, () => inTime(probing, ms, call));
  const monitor = new ConnectionMonitor({
    target: target.address,
    log,
    onUnreachable,
    probeWithinMs,
    probe: (signal) =>
      within(probeWithinMs, signal, async () => {
        const { namespaceInfo } = await probing.workflowService.describeNamespace({ namespace });
        return namespaceInfo?.id ?? '';
      }),
    prepare: (signal) =>
      within(prepareWithinMs, signal, async () => {
        const warning = await registerSearchAttributes(probing, namespace);
        if (warning !== undefined) log.warn(warning);
      }),
  });
  const connection = lazyConnection(target, () => monitor.isDown);
  return {
    ...createTemporalClient(target, connection, dataConverter, options),
    monitor,
    async close() {
      await monitor.stop();
      await probing.close();
      await connection.close();
    },
  };
}

import type { HandoverDatabase } from '../../store/handover.js';
import { type OpenTemporal, openTemporalClient } from '../../temporal/client/create-client.js';
import { encryptingDataConverter } from '../../temporal/codec.js';
import type { TemporalTarget } from '../../temporal/connection/connection.js';
import type { Setting } from '../startup/setting.js';
import type { Stack } from '../startup/stack.js';
import { dataKeysOf } from './data-keys.js';

/**
 * A client of the service at `target`, whose payloads are under the data keys of `database`. Once its `monitor` is started it connects as soon as the service is reachable; this
 * function neither waits for it nor fails without it.
 * @param onUnreachable called once per outage, with its cause
 */
export async function openTemporal(
  { config, log, tracing }: Pick<Setting, 'config' | 'log' | 'tracing'>,
  stack: Stack,
  { target, database, onUnreachable }: TemporalPlace,
): Promise<OpenTemporal> {
  const { codec, consoleUrl } = config;
  const dataKeys = dataKeysOf(codec, database);
  const dataConverter = encryptingDataConverter(codec.keys, { ...codec, dataKeys });
  const opened = await stack.start(
    'Temporal client',
    async () => openTemporalClient(target, dataConverter, { log, onUnreachable, tracing, consoleUrl }),
    (open) => open.close(),
  );
  return { ...opened, dataKeys };
}

interface TemporalPlace {
  target: TemporalTarget;
  database: Pick<HandoverDatabase, 'prompt'>;
  onUnreachable?: (reason: string) => void;
}

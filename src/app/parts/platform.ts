import { createPlatformClient, type PlatformClient } from '../../platform/client/index.js';
import type { Setting } from '../startup/setting.js';
import type { Stack } from '../startup/stack.js';

/**
 * A platform client with the deployment's keys.
 * @param timeoutMs of one request; default: the client's own
 * @param connections how many requests leave at once; default: the client's own
 */
export function startPlatformClient(
  { config, profile, measures, tracing }: Setting,
  stack: Stack,
  {
    baseUrl,
    timeoutMs,
    connections,
  }: { baseUrl: string; timeoutMs?: number | undefined; connections?: number },
): Promise<PlatformClient> {
  const { channelKey, supplierKey } = config.platform;
  return stack.start(
    'platform client',
    async () =>
      createPlatformClient({
        baseUrl,
        profile,
        onMismatch: measures.onMismatch,
        onCall: measures.onCall,
        tracing,
        ...(timeoutMs !== undefined && { timeoutMs }),
        ...(connections !== undefined && { connections }),
        keys: {
          ...(channelKey !== undefined && { channel: channelKey }),
          ...(supplierKey !== undefined && { supplier: supplierKey }),
        },
      }),
    (client) => client.close(),
  );
}

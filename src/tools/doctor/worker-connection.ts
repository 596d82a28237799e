import { IllegalStateError } from '@temporalio/common';
import { createLogger, openStandardError } from '../../app/log.js';
import { within } from '../../store/connection/within.js';
import { connectWorker, type TemporalTarget } from '../../temporal/connection/connection.js';

const withinMs = 15_000;

/** An API key turns TLS on. */
export function usesTls({ options: { tls, apiKey } }: TemporalTarget): boolean {
  return Boolean(tls ?? apiKey !== undefined);
}

/**
 * Opens a connection as a worker does, and closes it. A client's connection proves nothing about it: Node brings root certificates
 * along, while the native core of workers reads those of the system, which a slim image lacks.
 * @returns why it does not open; undefined: it does
 */
export async function whyNoWorkerConnects(target: TemporalTarget): Promise<string | undefined> {
  await installQuietRuntime();
  try {
    const connection = await within(withinMs, connectWorker(target));
    await connection.close();
    return undefined;
  } catch (error) {
    const { cause, message } = error as Error;
    return cause instanceof Error ? cause.message : message;
  }
}

/** The native core's default log goes to standard output, where the report is. */
async function installQuietRuntime(): Promise<void> {
  const { installRuntime } = await import('../../temporal/worker/runtime.js');
  try {
    installRuntime({ log: createLogger('error', openStandardError()) });
  } catch (error) {
    // the process has one already
    if (!(error instanceof IllegalStateError)) throw error;
  }
}

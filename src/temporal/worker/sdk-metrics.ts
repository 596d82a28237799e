import type { Logger } from 'pino';
import { freePort, loopback } from '../server/ports.js';
import { installRuntime } from './runtime.js';

/** The SDK's own metrics in Prometheus' text format; empty where there are none. */
export type ReadSdkMetrics = () => Promise<string>;

/** The SDK's runtime of this process, watched. */
export interface ObservedRuntime {
  sdkMetrics: ReadSdkMetrics;
  /** Calls `listener` whenever the SDK has lost a workflow task (see `installRuntime`). */
  onLostTask(listener: () => void): void;
}

const attempts = 3;
const withinMs = 1_000;

/**
 * Installs the SDK's runtime with metrics. The SDK serves them on a loopback port. Handover reads them there and serves
 * them together with its own, so that a process has one address to scrape. Without a free port the process runs without
 * them.
 */
export async function installObservedRuntime(log: Logger): Promise<ObservedRuntime> {
  const listeners: (() => void)[] = [];
  const observed = (sdkMetrics: ReadSdkMetrics): ObservedRuntime => ({
    sdkMetrics,
    onLostTask: (listener) => void listeners.push(listener),
  });
  const onLostTask = () => {
    for (const listener of listeners) listener();
  };
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const metricsAddress = `${loopback}:${await freePort()}`;
    try {
      installRuntime({ log, metricsAddress, onLostTask });
      return observed(() => read(`http://${metricsAddress}/metrics`));
    } catch (error) {
      // another program may use the port by now
      log.warn({ cause: (error as Error).message, attempt }, 'the metrics of the Temporal SDK have no port');
    }
  }
  installRuntime({ log, onLostTask });
  return observed(async () => '');
}

async function read(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(withinMs) });
    return response.ok ? await response.text() : '';
  } catch {
    return '';
  }
}

import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import { type Backoff, backoffMs } from '../../domain/shared/backoff.js';
import { type Deferred, deferred } from '../../domain/shared/deferred.js';
import { engineCode } from './unavailable.js';

export interface MonitorOptions {
  /**
   * One cheap call of the service, with a deadline.
   * @returns the id of the namespace: a new id means another service, or one that lost its state
   */
  probe(signal: AbortSignal): Promise<string>;
  /** First step of each connection, with a deadline. */
  prepare(signal: AbortSignal): Promise<void>;
  /** For the log: `temporal:7233`. */
  target: string;
  log: Logger;
  /** Called once per outage with its cause, a short text. */
  onUnreachable?: ((reason: string) => void) | undefined;
  /** Deadline of a probe, for the log. */
  probeWithinMs?: number;
  /** Time between two probes while the service answers. */
  everyMs?: number;
  /** Time between two probes while the service does not answer: doubled each time, up to `longestMs`. */
  retry?: Backoff;
}

const stopped = () => new Error('stopped before Temporal was connected');

/** Two, because a connection that breaks once may open again before any call fails. */
const failuresOfAnOutage = 2;

/**
 * Connects to Temporal whenever Temporal answers, as long as the process runs. No start waits for Temporal, and no lost
 * connection ends the process. `isDown` before the first connection and while the service refuses connections: calls
 * would only wait for their deadline. A slow or silent service is not down, because each call has a deadline.
 */
export class ConnectionMonitor {
  private namespaceId: string | null = null;
  private state: 'unknown' | 'connected' | 'lost' = 'unknown';
  private refuses = true;
  private failures = 0;
  private readonly stopping = new AbortController();
  /** New for each probe, because the SDK never removes its listeners from a signal. */
  private probing = new AbortController();
  private readonly listeners: (() => void)[] = [];
  /** Resolves at the next connection, for all callers of `connected`. */
  private arrival: Deferred | null = null;
  private loop: Promise<void> | null = null;

  constructor(private readonly options: MonitorOptions) {}

  get isDown(): boolean {
    return this.refuses;
  }

  get isConnected(): boolean {
    return this.state === 'connected';
  }

  start(): void {
    this.loop ??= this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.arrival?.reject(stopped());
    this.probing.abort();
    await this.loop;
  }

  /** `listener` is called at each connection: the first one, after each outage, and to a service that lost its state. */
  onConnected(listener: () => void): void {
    this.listeners.push(listener);
    if (this.isConnected) listener();
  }

  /** Resolves once connected. @throws Error when everything stops before that */
  connected(): Promise<void> {
    if (this.stopping.signal.aborted) return Promise.reject(stopped());
    if (this.isConnected) return Promise.resolve();
    this.arrival ??= deferred();
    return this.arrival.promise;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.probe();
      if (!signal.aborted) await pause(this.pauseMs(), signal);
    }
  }

  private async probe(): Promise<void> {
    this.probing = new AbortController();
    const { signal } = this.probing;
    setMaxListeners(0, signal);
    try {
      const id = await this.options.probe(signal);
      const isNew = id !== this.namespaceId;
      if (isNew || !this.isConnected) await this.options.prepare(signal);
      this.recordSuccess(id, isNew || !this.isConnected);
    } catch (error) {
      if (!signal.aborted) this.recordFailure(error);
    }
  }

  private recordSuccess(id: string, isConnection: boolean): void {
    const { log, target: temporal } = this.options;
    const hadOther = this.namespaceId !== null && this.namespaceId !== id;
    this.namespaceId = id;
    this.failures = 0;
    this.refuses = false;
    this.state = 'connected';
    if (hadOther) log.error({ temporal }, 'Temporal lost its state, or is another one: its namespace is new');
    if (!isConnection) return;
    log.info({ temporal }, 'Temporal is connected');
    this.arrival?.resolve();
    this.arrival = null;
    for (const listener of this.listeners) listener();
  }

  private recordFailure(error: unknown): void {
    this.failures += 1;
    const code = engineCode(error);
    const isFirst = this.state === 'unknown';
    if (!isFirst && this.failures < failuresOfAnOutage) return;
    if (!isFirst) {
      this.state = 'lost';
      this.refuses = code === 'UNAVAILABLE';
    }
    if (this.failures > (isFirst ? 1 : failuresOfAnOutage)) return;
    const reason = reasonOf(error, this.options.probeWithinMs);
    const { log, target: temporal, onUnreachable } = this.options;
    log.warn(
      { temporal, code, cause: reason },
      'Temporal cannot be used; Handover retries, and callbacks are accepted meanwhile',
    );
    onUnreachable?.(reason);
  }

  private pauseMs(): number {
    const { everyMs = 5_000, retry = { firstMs: 250, longestMs: 3_000 } } = this.options;
    if (this.failures === 0) return everyMs;
    return backoffMs(this.failures, retry);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    signal.addEventListener('abort', over);
  });
}

/**
 * The cause as a short text: gRPC's details, without its code and its notes for developers. The text may name a
 * certificate or an address, never a secret.
 */
function reasonOf(error: unknown, withinMs: number | undefined): string {
  if (!(error instanceof Error)) return 'unknown';
  if (engineCode(error) === 'DEADLINE_EXCEEDED') {
    return withinMs === undefined ? 'no answer in time' : `no answer within ${withinMs / 1000} s`;
  }
  const words = 'details' in error && typeof error.details === 'string' ? error.details : error.message;
  if (words.includes('ECONNREFUSED')) return 'connection refused';
  return words
    .replace(/^No connection established\. Last error: /, '')
    .replace(/\.?\s*Resolution note:.*$/s, '');
}

import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import { type Backoff, backoffMs } from '../../domain/shared/backoff.js';
import { type Deferred, deferred } from './deferred.js';
import { engineCode } from './unavailable.js';

export interface MonitorOptions {
  /**
   * One cheap call of the service, bounded in time.
   * @returns the id of the namespace: another id is another service, or one that lost its state
   */
  probe(signal: AbortSignal): Promise<string>;
  /** What each connection begins with; also bounded in time. */
  prepare(signal: AbortSignal): Promise<void>;
  /** For the log: `temporal:7233`. */
  target: string;
  log: Logger;
  /** Called once per outage, with its cause in a few words. */
  onUnreachable?: ((reason: string) => void) | undefined;
  /** How long a probe waits for its answer, for the log. */
  probeWithinMs?: number;
  /** Between two probes of a service that answers. */
  everyMs?: number;
  /** Between two probes of one that does not: doubled each time, up to the longest. */
  retry?: Backoff;
}

const stopped = () => new Error('stopped before Temporal was connected');

/** A connection that breaks once may be open again before any call notices. */
const failuresOfAnOutage = 2;

/**
 * Connects to Temporal whenever Temporal is there, for as long as the process lives: no start waits for it, and no
 * loss ends anything. Before the first connection, and while the service refuses connections, `isDown`: calls would only
 * wait for their deadline. One that is slow or silent is not down: each call has its own deadline.
 */
export class ConnectionMonitor {
  private namespaceId: string | null = null;
  private state: 'unknown' | 'connected' | 'lost' = 'unknown';
  private refuses = true;
  private failures = 0;
  private readonly stopping = new AbortController();
  /** Of the probe under way: the SDK's listeners stay on a signal for as long as it lives. */
  private probing = new AbortController();
  private readonly listeners: (() => void)[] = [];
  /** The next connection, for all that wait for it. */
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
 * The cause in a few words: of gRPC its own, without the code and what it adds for its developers. A certificate or an
 * address stands there, and no secret.
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

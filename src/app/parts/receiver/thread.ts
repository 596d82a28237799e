import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Setting } from '../../startup/setting.js';
import type { FromThread, ThreadSettings, ToThread } from './messages.js';
import { ThreadReports } from './reports.js';

const program = new URL('./thread-program.js', import.meta.url);
/** Before a thread that ended is started again. */
const restartMs = 1_000;
/** Longer than its server takes to close and its inbox to be stored. */
const stopsWithinMs = 15_000;

type Given = Pick<Setting, 'config' | 'env' | 'log' | 'writeLine'>;

/** The callback receiver in a thread of its own, as the rest of its process sees it. A thread that ends is started again. */
export class ReceiverThread {
  private turn: 'serving' | 'draining' | 'stopping' = 'serving';
  private ended: Promise<void> = Promise.resolve();

  private constructor(
    private readonly given: Given,
    private readonly onStored: () => void,
    private worker: Worker,
    readonly url: string,
    private readonly reports: ThreadReports,
  ) {
    this.supervise(worker);
  }

  /**
   * Resolves when it listens on CALLBACK_PORT.
   * @param onStored called for each stored callback, some milliseconds later
   * @throws Error where it cannot listen
   */
  static async start(given: Given, onStored: () => void = () => {}): Promise<ReceiverThread> {
    const worker = launch(given);
    const { url, report } = await untilListening(worker);
    return new ReceiverThread(given, onStored, worker, url, new ThreadReports(report));
  }

  get figures() {
    return this.reports.last.figures;
  }

  get metrics() {
    return this.reports.last.metrics;
  }

  /** For `/healthz`. @throws Error where it hangs */
  assertAlive(): void {
    this.reports.assertRecent();
  }

  drain(): void {
    this.turn = 'draining';
    this.tell('drain');
  }

  async stop(): Promise<void> {
    this.turn = 'stopping';
    this.tell('stop');
    await Promise.race([this.ended, sleep(stopsWithinMs, undefined, { ref: false })]);
    await this.worker.terminate();
  }

  private tell(message: ToThread): void {
    this.worker.postMessage(message);
  }

  private supervise(worker: Worker): void {
    this.worker = worker;
    worker.on('message', (message: FromThread) => {
      if (message.kind === 'report') this.reports.record(message.report);
      if (message.kind === 'stored') for (let n = 0; n < message.callbacks; n++) this.onStored();
    });
    worker.on('error', (err) => this.given.log.error({ err }, 'the callback receiver failed'));
    this.ended = new Promise((resolve) => {
      worker.once('exit', () => {
        resolve();
        void this.startAgain();
      });
    });
  }

  private async startAgain(): Promise<void> {
    while (!this.isStopping()) {
      await sleep(restartMs, undefined, { ref: false });
      if (this.isStopping()) return;
      const worker = launch(this.given, Number(new URL(this.url).port));
      const listening = await untilListening(worker).catch((err: unknown) => {
        this.given.log.error({ err }, 'the callback receiver does not start again');
      });
      if (listening === undefined) continue;
      this.reports.record(listening.report);
      this.supervise(worker);
      if (this.turn !== 'serving') this.tell(this.turn === 'stopping' ? 'stop' : 'drain');
      return;
    }
  }

  private isStopping(): boolean {
    return this.turn === 'stopping';
  }
}

function launch({ config, env, writeLine }: Given, port = config.callbacks.port): Worker {
  const { callbacks, codec, forward, http, logLevel, wireProfile, databaseUrl } = config;
  if (port === undefined || databaseUrl === undefined)
    throw new Error('a receiver in a thread of its own needs CALLBACK_PORT and DATABASE_URL');
  const settings: ThreadSettings = {
    config: { callbacks, codec, forward, http, logLevel, wireProfile },
    port,
    databaseUrl,
  };
  const worker = new Worker(program, { name: 'callback receiver', workerData: settings, env });
  worker.on('message', (message: FromThread) => {
    if (message.kind === 'line') writeLine?.(message.line);
  });
  return worker;
}

/** @throws Error where it ends before */
async function untilListening(worker: Worker): Promise<Extract<FromThread, { kind: 'listening' }>> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message: FromThread) => {
      if (message.kind === 'listening') resolve(message);
    });
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the callback receiver ended with ${code}`)));
  });
}

import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { databaseErrorCode } from '../../../store/connection/errors.js';
import { watchForHang } from '../../../store/connection/watch-for-hang.js';
import type { HandoverDatabase } from '../../../store/handover.js';
import type { Setting } from '../../startup/setting.js';
import type { FromThread, ThreadSettings, ToThread } from './messages.js';
import { ThreadReports } from './reports.js';
import { Restarts } from './restarts.js';

const program = new URL('./thread-program.js', import.meta.url);
/** Bodies are outside of this heap. A thread that needs more is started again; the process lives. */
const resourceLimits = { maxOldGenerationSizeMb: 256 };
/** A thread without a report for this long hangs. */
const hangsMs = 30_000;
/** Longer than its server takes to close and its inbox to be stored. */
const stopsWithinMs = 15_000;

export interface ThreadDeps {
  log: Pick<Setting['log'], 'warn' | 'error'>;
  /** For the lines of its log. */
  writeLine: Setting['writeLine'];
  /** Called for each stored callback, some milliseconds later. */
  onStored?: (() => void) | undefined;
  /** Gives ports to the embedded database. */
  share?: HandoverDatabase['share'];
  /** A thread ended by itself, and another one is started. */
  onRestart: () => void;
}

/** The callback receiver in a thread of its own, as the rest of its process sees it. A thread that ends or hangs is replaced. */
export class ReceiverThread {
  readonly reports = new ThreadReports();
  private phase: 'serving' | 'draining' | 'stopping' = 'serving';
  private worker: Worker | undefined;
  /** Resolves with the exit code of the thread. */
  private ended: Promise<number> = Promise.resolve(0);
  private readonly restarts = new Restarts();
  private stopWatching = () => {};

  private constructor(
    private readonly settings: ThreadSettings,
    private readonly deps: ThreadDeps,
  ) {}

  /** Resolves when it listens, with its address. @throws Error where it cannot listen */
  static async start(settings: ThreadSettings, deps: ThreadDeps) {
    const thread = new ReceiverThread(settings, deps);
    const url = await thread.launch(settings.port);
    // a port that the system chose stays
    void thread.replaceEnded(settings.port || Number(new URL(url).port));
    thread.stopWatching = watchForHang(
      () => thread.reports.ageMs > hangsMs,
      () => {
        deps.log.error('the callback receiver hangs: it is ended');
        void thread.worker?.terminate();
      },
    );
    return { thread, url };
  }

  /** @throws Error where it receives no callback now */
  assertReady(): void {
    if (!this.restarts.isListening || !this.reports.isCurrent)
      throw new Error('the callback receiver does not report');
  }

  /** @throws Error where threads end again and again */
  assertAlive(): void {
    if (this.restarts.areInVain) throw new Error('the callback receiver does not recover');
  }

  drain(): void {
    this.phase = 'draining';
    this.send({ kind: 'drain' });
  }

  async stop(): Promise<void> {
    this.phase = 'stopping';
    this.stopWatching();
    this.send({ kind: 'stop' });
    const isLate = sleep(stopsWithinMs, true, { ref: false });
    const isForced = await Promise.race([this.ended.then(() => false), isLate]);
    await this.worker?.terminate();
    if (isForced) throw new Error('the callback receiver did not end by itself');
  }

  private send(message: ToThread): void {
    this.worker?.postMessage(message);
  }

  /** Resolves when a new thread listens, with its address. @throws Error where it ends before */
  private async launch(port: number): Promise<string> {
    const { log, writeLine, onStored, share } = this.deps;
    const worker = new Worker(program, {
      name: 'callback receiver',
      workerData: { ...this.settings, port },
      resourceLimits,
    });
    this.worker = worker;
    this.reports.begin();
    const stopSharing = share?.((databasePort) => {
      const message: ToThread = { kind: 'database', port: databasePort };
      worker.postMessage(message, [databasePort]);
    });
    return new Promise((resolve, reject) => {
      worker.on('message', (message: FromThread) => {
        switch (message.kind) {
          case 'line':
            writeLine?.(message.line);
            break;
          case 'stored':
            for (let n = 0; n < message.callbacks; n++) onStored?.();
            break;
          case 'report':
            this.reports.record(message.report);
            break;
          case 'listening':
            this.restarts.listens();
            this.reports.record(message.report);
            resolve(message.url);
        }
      });
      worker.on('error', (error) => {
        const code = databaseErrorCode(error);
        // the message of a statement's error has its parameters (L60)
        log.error(code === 'UNKNOWN' ? { err: error } : { code }, 'the callback receiver failed');
        reject(error);
      });
      this.ended = new Promise((done) => {
        worker.once('exit', (code) => {
          stopSharing?.();
          reject(new Error(`the callback receiver ended with ${code}`));
          const end = () => done(code);
          void this.reports.end().then(end, end);
        });
      });
    });
  }

  private async replaceEnded(port: number): Promise<void> {
    for (;;) {
      const code = await this.ended;
      if (this.isStopping()) return;
      const afterMs = this.restarts.ended(this.reports.ageMs);
      // the next one is awaited
      this.reports.begin();
      this.deps.log.warn({ code, afterMs }, 'the callback receiver ended: it is started again');
      this.deps.onRestart();
      await sleep(afterMs, undefined, { ref: false });
      if (this.isStopping()) return;
      // that it ended is logged, and the next turn waits longer
      await this.launch(port).catch(() => {});
      if (this.phase === 'draining') this.send({ kind: 'drain' });
    }
  }

  private isStopping(): boolean {
    return this.phase === 'stopping';
  }
}

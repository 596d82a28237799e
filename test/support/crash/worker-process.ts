import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { eventually } from '../eventually.js';
import type {
  ActivityTrap,
  DatabaseCalls,
  FromParent,
  FromWorker,
  TrapPoint,
  WorkerSetting,
} from './messages.js';

const typescript = new URL('../typescript.mjs', import.meta.url).href;
const program = fileURLToPath(new URL('./trapped-worker.ts', import.meta.url));

/** A worker's process: started, watched at its trap points, killed. */
export class WorkerProcess {
  private readonly reached: { at: TrapPoint; reservationId: number }[] = [];
  /** Activities that stand at their traps. */
  readonly trapped: ActivityTrap[] = [];
  private readonly ended: Promise<void>;

  private constructor(
    private readonly child: ChildProcess,
    private readonly database: DatabaseCalls,
  ) {
    this.ended = new Promise((resolve) => child.once('exit', () => resolve()));
  }

  /** @param database the product's own, for the embedded one serves this process alone */
  static async start(setting: WorkerSetting, database: DatabaseCalls): Promise<WorkerProcess> {
    const child = fork(program, [JSON.stringify(setting)], { execArgv: ['--import', typescript] });
    const worker = new WorkerProcess(child, database);
    let runs = false;
    child.on('message', (message: FromWorker) => {
      if (message.kind === 'runs') runs = true;
      else worker.receive(message);
    });
    await eventually('the worker runs', () => runs || child.exitCode !== null, 60_000);
    if (!runs) throw new Error(`the worker ended with ${child.exitCode} before it ran`);
    return worker;
  }

  /** Reservations whose commands stand at the trap point. */
  at(point: TrapPoint): number[] {
    return this.reached.filter(({ at }) => at === point).map(({ reservationId }) => reservationId);
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  private receive(message: Exclude<FromWorker, { kind: 'runs' }>): void {
    if (message.kind === 'reached') this.reached.push(message);
    else if (message.kind === 'trapped') this.trapped.push(message.trap);
    else
      void this.call(message).then(
        (result) => this.answer({ answerTo: message.id, result }),
        (error) => this.answer({ answerTo: message.id, error: String(error) }),
      );
  }

  private async call({ name, input }: Extract<FromWorker, { kind: 'call' }>): Promise<unknown> {
    return this.database[name]?.(input as never);
  }

  private answer(answer: FromParent): void {
    // a killed one reads no answer
    if (this.child.connected) this.child.send(answer, () => {});
  }
}

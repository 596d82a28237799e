import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkflowBundlePath } from '@temporalio/worker';
import type { Logger } from '../../../app/log.js';
import { openDatabase } from '../../../app/parts/database.js';
import { startSandboxPart } from '../../../app/parts/sandbox.js';
import { Stack } from '../../../app/startup/stack.js';
import type { RunningSandbox } from '../../../sandbox/server.js';
import type { HandoverDatabase } from '../../../store/handover.js';
import type { CodecKey } from '../../../store/sealing/codec-key.js';
import { type AlertReceiver, openAlertReceiver } from './alert-receiver.js';
import { StageClock } from './clock.js';
import { CurrentProduct } from './current-product.js';
import type { StageEngine } from './engine.js';
import { freshDataFolder } from './folders.js';
import { settingFor } from './setting.js';

const minute = 60_000;

export interface StageOptions {
  /** Gets an engine of the stage's own; the stage closes it. */
  engine: () => Promise<StageEngine>;
  /** Keys that encrypt histories and rows. */
  keys: readonly CodecKey[];
  log: Logger;
  env?: NodeJS.ProcessEnv;
  /** Of the workflows, where this is no build. */
  bundle?: WorkflowBundlePath;
}

/** What all scenarios share, one after the other: the engine with its time, the databases, the platform. */
export interface Stage {
  engine: StageEngine;
  clock: StageClock;
  database: HandoverDatabase;
  sandbox: RunningSandbox;
  options: StageOptions;
  alerts: AlertReceiver;
  dataDir: string;
  /** The running product; the next scenario uses it again where it has the same roles and durations. */
  product: CurrentProduct;
  /** Ids of reservations begin here: each scenario has a hundred of its own. */
  nextReservationId: number;
  close(): Promise<void>;
}

/** Sets a stage up: seconds, most of it the engine's start. */
export async function openStage(options: StageOptions): Promise<Stage> {
  const stack = new Stack(options.log);
  try {
    // the engine takes longest, and needs nothing of the others
    const [engine, place] = await Promise.all([
      stack.start('engine', options.engine, (open) => open.close()),
      openPlace(options, stack),
    ]);
    const { dataDir, alerts, database, sandbox } = place;
    // ahead of real time from the beginning: the platform's clock takes no step back
    if (engine.skips) await engine.sleep(minute);
    const clock = new StageClock();
    clock.set(await engine.now());
    const product = new CurrentProduct();
    await stack.start(
      'product',
      async () => product,
      (current) => current.end(),
    );
    return {
      engine,
      product,
      alerts,
      clock,
      database,
      sandbox,
      options,
      dataDir,
      nextReservationId: 8001,
      close: () => stack.stop(),
    };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

/** The data folder, and what runs on it without the engine. */
async function openPlace({ keys, log, env = process.env }: StageOptions, stack: Stack) {
  const dataDir = await stack.start(
    'data folder',
    () => freshDataFolder(env),
    (folder) => rm(folder, { recursive: true, force: true }),
  );
  const alerts = await stack.start('receiver of alerts', openAlertReceiver, (open) => open.close());
  const setting = await settingFor(
    { roles: ['channel', 'supplier'], policy: {} },
    { dataDir, keys, log, alertUrl: alerts.url },
  );
  const [database, sandbox] = await Promise.all([
    openDatabase(setting, stack, { folder: join(dataDir, 'db') }),
    startSandboxPart(setting, stack, { port: 0 }),
  ]);
  return { dataDir, alerts, database, sandbox };
}

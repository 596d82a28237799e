import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createLogger, type Logger } from '../../app/log.js';
import { sameKeyWithinMs } from '../../app/startup/signals.js';
import { provideEngine } from '../../temporal/server/provision/provide.js';
import { installRuntime } from '../../temporal/worker/runtime.js';
import { readScenario, type Scenario, ScenarioFileError } from './format/read.js';
import { type Rehearsal, runScenario } from './play/run.js';
import { asJson, toText } from './print.js';
import { timeSkippingEngine } from './stage/engine.js';
import { realServerEngine } from './stage/real-server.js';
import { openStage } from './stage/stage.js';

/**
 * `handover rehearse <files…>`: plays scenarios on a stage of its own and prints each as a story.
 * @returns whether every scenario passed
 * @throws Error with every problem of every file, before anything is started
 */
export async function rehearse(
  files: readonly string[],
  { json, env }: { json: boolean; env: NodeJS.ProcessEnv },
): Promise<boolean> {
  if (files.length === 0)
    throw new Error('name a scenario file, such as `handover rehearse scenarios/late-return.yaml`');
  const scenarios = await readAll(files);
  const log = createLogger(env.LOG_LEVEL ?? 'fatal');
  installRuntime({ log });
  const played: Rehearsal[] = [];
  // one stage for each kind of time
  for (const real of [false, true]) {
    const selected = scenarios.filter((scenario) => scenario.real === real);
    if (selected.length > 0)
      await playAll(selected, { real, env, log }, (rehearsal) => {
        played.push(rehearsal);
        if (!json) process.stdout.write(`${toText(rehearsal)}\n\n`);
      });
  }
  if (json) process.stdout.write(`${JSON.stringify(played.map(asJson), null, 2)}\n`);
  else if (played.length > 1) process.stdout.write(`${summary(played)}\n`);
  return played.every(({ passed }) => passed);
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

async function playAll(
  scenarios: readonly Scenario[],
  { real, env, log }: { real: boolean; env: NodeJS.ProcessEnv; log: Logger },
  onPlayed: (rehearsal: Rehearsal) => void,
): Promise<void> {
  const keys = [{ id: 'rehearsal', key: randomBytes(32) }];
  const onProgress = (line: string) => process.stderr.write(`${line}\n`);
  const binary = await provideEngine(real ? 'dev-server' : 'test-server', { env, onProgress });
  const engine = () => (real ? realServerEngine : timeSkippingEngine)(binary, keys);
  const opening = openStage({ engine, keys, log, env });
  // a scenario that a stop interrupts waits here until the engine has ended
  const close = () => opening.then((stage) => stage.close());
  let leavingSince: number | undefined;
  // an engine must not outlive a rehearsal that is stopped, also while it starts
  const leave = () => {
    leavingSince ??= performance.now();
    if (performance.now() - leavingSince > sameKeyWithinMs) process.exit(130);
    void close().finally(() => process.exit(130));
  };
  for (const signal of signals) process.on(signal, leave);
  try {
    const stage = await opening;
    for (const scenario of scenarios) onPlayed(await runScenario(stage, scenario));
  } finally {
    await close().finally(() => {
      for (const signal of signals) process.off(signal, leave);
    });
  }
}

function summary(played: readonly Rehearsal[]): string {
  const failed = played.filter(({ passed }) => !passed);
  const names = failed.map(({ scenario }) => `  ${scenario.file}`);
  return [`${played.length - failed.length} of ${played.length} scenarios passed`, ...names].join('\n');
}

async function readAll(files: readonly string[]): Promise<Scenario[]> {
  const scenarios: Scenario[] = [];
  const problems: string[] = [];
  for (const file of files) {
    try {
      scenarios.push(readScenario(await readText(file), file));
    } catch (error) {
      if (!(error instanceof ScenarioFileError || error instanceof UnreadableError)) throw error;
      problems.push(error.message);
    }
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return scenarios;
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UnreadableError(`${file} cannot be read (${error.code}); give the path of a scenario file`);
  });
}

class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
}

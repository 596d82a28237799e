import type { Config } from '../../../app/config/index.js';
import { readBuildId } from '../../../app/installation.js';
import { createLogger, openStandardError } from '../../../app/log.js';
import { connectClusterTemporal, requireCluster } from '../../../app/parts/beside-cluster.js';
import { Stack } from '../../../app/startup/stack.js';
import { printLine } from '../../../app/startup/until-stopped.js';
import { readHandoverDatabase } from '../../../store/handover.js';
import { builtBundle } from '../../../temporal/worker/bundle.js';
import { checkOpenRuns, continuesAll, type ReleaseCheck } from './check.js';

/** Runs of each kind that are printed. */
const mostLines = 20;

interface CheckOptions {
  query?: string;
  /** At most so many runs of each workflow type. */
  sample: number;
  json: boolean;
}

/**
 * `handover release check`.
 * @returns whether this build continues every run that was replayed
 * @throws Error where a setting is missing, a service gives no answer, or nothing is known of a run (`continuesAll`)
 */
export async function checkRelease(
  setting: { config: Config; env: NodeJS.ProcessEnv },
  { json, ...options }: CheckOptions,
): Promise<boolean> {
  const url = requireCluster(setting, 'release check');
  const stack = new Stack(createLogger('error', openStandardError()));
  try {
    const database = await stack.start(
      'database',
      async () => readHandoverDatabase(url),
      (open) => open.close(),
    );
    const temporal = await connectClusterTemporal(setting, stack, { prompt: database.db });
    const found = await checkOpenRuns(temporal, { ...options, bundle: builtBundle() });
    const buildId = readBuildId();
    printLine(json ? JSON.stringify({ buildId, ...found }, null, 2) : toText(found, buildId));
    return continuesAll(found, options.query);
  } finally {
    await stack.stop();
  }
}

function toText({ types, breaks, unread }: ReleaseCheck, buildId: string): string {
  const counts = types.map(
    ({ type, open, replayed }) => `${type}: ${replayed} of ${open} open runs replayed`,
  );
  const listed = [...linesOf('breaks', breaks), ...linesOf('not read', unread)];
  return [...counts, ...listed, resultOf({ types, breaks, unread }, buildId)].join('\n');
}

function linesOf(what: string, runs: ReleaseCheck['breaks']): string[] {
  const lines = runs
    .slice(0, mostLines)
    .map(({ workflowId, runId, reason }) => `${what} ${workflowId} (run ${runId}): ${reason}`);
  return runs.length > mostLines ? [...lines, `… and ${runs.length - mostLines} more`] : lines;
}

function resultOf({ types, breaks, unread }: ReleaseCheck, buildId: string): string {
  if (breaks.length > 0) return `${breaks.length} runs would stop on ${buildId}: do not give it traffic`;
  if (types.length === 0) return 'there are no such open runs';
  const others = unread.length > 0 ? '; of the others nothing is known' : '';
  return `${buildId} continues every run that was replayed${others}`;
}

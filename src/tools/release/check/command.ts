import { readBuildId } from '../../../app/installation.js';
import { printLine } from '../../../app/startup/until-stopped.js';
import type { TemporalClient } from '../../../temporal/client/open.js';
import { builtBundle } from '../../../temporal/worker/bundle.js';
import { checkOpenRuns, type ReleaseCheck } from './check.js';

/** Broken runs that are printed. */
const mostLines = 20;

interface CheckOptions {
  query?: string;
  /** At most so many runs of each workflow type. */
  sample: number;
  json: boolean;
}

/** `handover release check`. @returns whether this build continues every run that was replayed */
export async function checkRelease(
  temporal: TemporalClient,
  { json, ...options }: CheckOptions,
): Promise<boolean> {
  const found = await checkOpenRuns(temporal, { ...options, bundle: builtBundle() });
  const buildId = readBuildId();
  printLine(json ? JSON.stringify({ buildId, ...found }, null, 2) : toText(found, buildId));
  return found.breaks.length === 0;
}

function toText({ types, breaks }: ReleaseCheck, buildId: string): string {
  const counts = types.map(
    ({ type, open, replayed }) => `${type}: ${replayed} of ${open} open runs replayed`,
  );
  const broken = breaks
    .slice(0, mostLines)
    .map(({ workflowId, runId, reason }) => `breaks ${workflowId} (run ${runId}): ${reason}`);
  const more = breaks.length > mostLines ? [`… and ${breaks.length - mostLines} more`] : [];
  const result =
    breaks.length > 0
      ? `${breaks.length} runs would stop on ${buildId}: do not give it traffic`
      : `${buildId} continues every run that was replayed`;
  return [...counts, ...broken, ...more, types.length === 0 ? 'there are no open runs' : result].join('\n');
}

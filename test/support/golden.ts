import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';

const root = fileURLToPath(new URL('../replay/histories/', import.meta.url));
const changelog = new URL('../../CHANGELOG.md', import.meta.url);

/** Every golden history there is, as `<version>/<name>.json.gz`; `scenarios/` below a version holds those of the files. */
export function goldenFiles(): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json.gz'))
    .sort();
}

/** The subject of a golden history: a story, or a scenario; its runs after the first have a number. */
export function storyOf(file: string): string {
  return file.replace(/^[^/]+\//, '').replace(/(\.\d+)?\.json\.gz$/, '');
}

export function readGolden(file: string): string {
  return gunzipSync(readFileSync(root + file)).toString();
}

/** @throws Error where `version` is released: its histories are those of open runs, and are never recorded again */
export function checkUnreleased(version: string): void {
  const headings = readFileSync(changelog, 'utf8').split('\n');
  if (headings.some((line) => line.startsWith(`## ${version} `) && !line.endsWith(' unreleased')))
    throw new Error(
      `Histories of ${version} are not recorded again: CHANGELOG.md lists it as released. Set the next version in package.json first.`,
    );
}

/** Keeps the histories of a workflow, one file per run of its chain, oldest first. */
export async function keepHistories(
  { workflow }: Client,
  workflowId: string,
  { version, name }: { version: string; name: string },
): Promise<void> {
  let runId = (await workflow.getHandle(workflowId).describe()).raw.workflowExecutionInfo?.firstRunId;
  for (let run = 1; runId; run++) {
    const history = await workflow.getHandle(workflowId, runId).fetchHistory();
    const file = `${root}${version}/${run === 1 ? name : `${name}.${run}`}.json.gz`;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, gzipSync(`${historyToJSON(history)}\n`, { level: 9 }));
    runId = history.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
  }
}

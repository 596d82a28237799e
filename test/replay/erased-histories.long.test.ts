import type { Payload } from '@temporalio/common';
import { historyFromJSON, historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { beforeAll, describe, expect, it } from 'vitest';
import { createCodec, nonceOf, remainsOf } from '../../src/temporal/codec.js';
import { refuseUnencrypted } from '../../src/temporal/worker/refuse-unencrypted.js';
import { publicTestKey, testDataConverter } from '../support/codec.js';
import { MemoryDataKeys } from '../support/data-keys.js';
import { workflowBundle } from '../support/engine.js';
import { installTestRuntime } from '../support/engine-log.js';
import { goldenFiles, readGolden } from '../support/golden.js';
import { payloadsIn } from '../support/intruder.js';

type History = ReturnType<typeof historyFromJSON>;

const files = goldenFiles();
const dataKeys = new MemoryDataKeys();
const ring = createCodec([publicTestKey]);
const codec = createCodec([publicTestKey], { dataKeys });

/** The files of each workflow id, the newest run first, as an erasure reads them. */
function findChains(): string[][] {
  const runOf = (file: string) => Number(/\.(\d+)\.json\.gz$/.exec(file)?.[1] ?? 1);
  const nameOf = (file: string) => file.replace(/(\.\d+)?\.json\.gz$/, '');
  return [...new Set(files.map(nameOf))].map((name) =>
    files.filter((file) => nameOf(file) === name).toSorted((a, b) => runOf(b) - runOf(a)),
  );
}

function runIdOf({ events }: History): string {
  return events?.[0]?.workflowExecutionStartedEventAttributes?.originalExecutionRunId ?? '';
}

/** The golden histories of one workflow id as if their payloads had been written under a data key, and then erased. */
async function eraseChain(runs: string[], scope: string): Promise<[string, History][]> {
  const histories = runs.map((file): [string, History] => [
    file,
    historyFromJSON(JSON.parse(readGolden(file))),
  ]);
  const read = new Map<string, Payload>();
  const context = { type: 'workflow', namespace: 'default', workflowId: scope } as const;
  for (const payload of payloadsIn(histories)) {
    const plain = await ring.decode([payload]);
    const [moved] = await codec.encode(plain, context);
    Object.assign(payload, moved);
    const [only] = plain;
    if (only !== undefined) read.set(Buffer.from(nonceOf(payload)).toString('hex'), only);
  }
  const left = remainsOf([...read.values()]);
  dataKeys.erase(scope, new Map([...read.keys()].map((nonce, index) => [nonce, left[index] as Uint8Array])));
  return histories;
}

describe('L60: an erased history', () => {
  const errors = new Map<string, Error | undefined>();
  beforeAll(async () => {
    installTestRuntime();
    const { codePath } = workflowBundle();
    const histories = [];
    const fileOf = new Map<string, string>();
    for (const [index, runs] of findChains().entries()) {
      const workflowId = `reservation-${index}`;
      for (const [file, history] of await eraseChain(runs, workflowId)) {
        histories.push({ workflowId, history: historyFromJSON(JSON.parse(historyToJSON(history))) });
        fileOf.set(`${workflowId} ${runIdOf(history)}`, file);
      }
    }
    const dataConverter = {
      ...refuseUnencrypted({
        ...testDataConverter,
        payloadCodecs: [
          { encode: async (payloads) => payloads, decode: (payloads) => codec.decode(payloads) },
        ],
      }),
    };
    const found = Worker.runReplayHistories({ workflowBundle: { codePath }, dataConverter }, histories);
    for await (const { workflowId, runId, error } of found) {
      errors.set(fileOf.get(`${workflowId} ${runId}`) ?? '', error);
    }
  }, 180_000);

  it('has more than one run in some of them', () => {
    expect(findChains().some((runs) => runs.length > 1)).toBe(true);
  });

  it.each(files)('%s replays', (file) => {
    expect(errors.has(file)).toBe(true);
    expect(errors.get(file)).toBeUndefined();
  });
});

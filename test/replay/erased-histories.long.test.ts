import { historyFromJSON, historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { beforeAll, describe, expect, it } from 'vitest';
import { Tombstones } from '../../src/domain/shared/tombstones.js';
import { createCodec, nonceOf, remainsOf } from '../../src/temporal/codec.js';
import { refuseUnencrypted } from '../../src/temporal/worker/refuse-unencrypted.js';
import { publicTestKey, testDataConverter } from '../support/codec.js';
import { MemoryDataKeys } from '../support/data-keys.js';
import { workflowBundle } from '../support/engine.js';
import { installTestRuntime } from '../support/engine-log.js';
import { goldenFiles, readGolden } from '../support/golden.js';
import { payloadsIn } from '../support/intruder.js';

const files = goldenFiles();
const dataKeys = new MemoryDataKeys();
const ring = createCodec([publicTestKey]);
const codec = createCodec([publicTestKey], { dataKeys });

/** The golden history as if its payloads had been written under a data key. */
async function underDataKey(file: string, scope: string) {
  const history = historyFromJSON(JSON.parse(readGolden(file)));
  const remains = new Map<string, Uint8Array>();
  const tombstones = new Tombstones();
  const context = { type: 'workflow', namespace: 'default', workflowId: scope } as const;
  for (const payload of payloadsIn(history)) {
    const plain = await ring.decode([payload]);
    const [moved] = await codec.encode(plain, context);
    Object.assign(payload, moved);
    const [only] = plain;
    if (only !== undefined)
      remains.set(Buffer.from(nonceOf(payload)).toString('hex'), remainsOf(only, tombstones));
  }
  return { history, remains };
}

describe('L60: an erased history', () => {
  const errors = new Map<string, Error | undefined>();
  beforeAll(async () => {
    installTestRuntime();
    const { codePath } = workflowBundle();
    const histories = [];
    for (const [index, file] of files.entries()) {
      const scope = `reservation-${index}`;
      const { history, remains } = await underDataKey(file, scope);
      dataKeys.erase(scope, remains);
      histories.push({ workflowId: scope, history: historyFromJSON(JSON.parse(historyToJSON(history))) });
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
    for await (const { workflowId, error } of found) {
      errors.set(files[Number(workflowId.replace('reservation-', ''))] ?? '', error);
    }
  }, 180_000);

  it.each(files)('%s replays', (file) => {
    expect(errors.has(file)).toBe(true);
    expect(errors.get(file)).toBeUndefined();
  });
});

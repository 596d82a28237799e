import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { dataKeysOf } from '../../../src/app/parts/data-keys.js';
import { encryptingDataConverter } from '../../../src/temporal/codec.js';
import { replayHistories } from '../../../src/temporal/worker/replay.js';
import { workflowBundle } from '../engine.js';
import { installTestRuntime } from '../engine-log.js';
import type { Site } from './sites.js';

/** The site is removed: what a rare failure leaves behind is all that there is to read. @returns the path of its file */
async function storeHistory(client: Client, workflowId: string): Promise<string> {
  const path = join(tmpdir(), `handover-unreplayable-${workflowId}-${Date.now()}.json`);
  await writeFile(path, historyToJSON(await client.workflow.getHandle(workflowId).fetchHistory()));
  return path;
}

/** Why histories of the site's workflows, open and closed, do not replay: a process that starts could not continue or read them. */
export async function unreplayable({ temporal, codecKey, openDatabase }: Site): Promise<string[]> {
  installTestRuntime();
  const database = await openDatabase();
  const dataKeys = dataKeysOf({ keys: [codecKey], writesDataKeys: true }, database);
  const dataConverter = encryptingDataConverter([codecKey], { dataKeys });
  const connection = await Connection.connect({ address: temporal, tls: false });
  try {
    const client = new Client({ connection, dataConverter });
    const wrong: string[] = [];
    let replayed = 0;
    const histories = client.workflow.list().intoHistories({ concurrency: 4 });
    for await (const { workflowId, error } of replayHistories(workflowBundle(), dataConverter, histories)) {
      replayed++;
      if (error === undefined) continue;
      wrong.push(`${workflowId}: ${error.message}; its history: ${await storeHistory(client, workflowId)}`);
    }
    return replayed > 0 ? wrong : ['no history'];
  } finally {
    await connection.close();
    await database.close();
  }
}

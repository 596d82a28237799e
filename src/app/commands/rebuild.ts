import { createOpenRows } from '../../store/reservations/open-rows.js';
import { createRowChecks } from '../../store/reservations/row-checks.js';
import { createStoredRows } from '../../store/reservations/stored-rows.js';
import { createSealer } from '../../store/sealing/sealer.js';
import { rebuildLists } from '../../temporal/client/reservations/rebuild-lists.js';
import { connectClusterTemporal, requireCluster } from '../parts/beside-cluster.js';
import { openDatabase } from '../parts/database.js';
import { clusterSetting } from '../startup/setting.js';
import { Stack } from '../startup/stack.js';
import { printLine } from '../startup/until-stopped.js';

/**
 * `handover rebuild`: writes what lists show of every open reservation of a cluster again, beside its running parts. Exit code 1: some
 * gave no answer.
 */
export async function runRebuild(env: NodeJS.ProcessEnv): Promise<void> {
  const setting = await clusterSetting(env, { receives: false });
  const { codec } = setting.config;
  const url = requireCluster(setting, 'rebuild');
  const stack = new Stack(setting.log);
  try {
    const database = await openDatabase(setting, stack, { url, folder: '' });
    const { client } = await connectClusterTemporal(setting, stack, database);
    const rows = createStoredRows(database.db, createOpenRows(createSealer(codec.keys, codec), codec.keys));
    const onProgress = (done: number, of: number) => {
      if (done % 1_000 === 0) printLine(`${done} of ${of} open reservations are read`);
    };
    const checks = createRowChecks(database.db);
    const { written, removed, unanswered } = await rebuildLists(client, rows, {
      all: true,
      mayLackRows: true,
      onProgress,
    });
    // what gave no answer is left to the workers
    await (unanswered === 0 ? checks.recordEnd() : checks.request());
    printLine(
      `${written} open reservations written, ${removed} rows of others deleted, ${unanswered} workflows gave no answer`,
    );
    if (unanswered > 0) process.exitCode = 1;
  } finally {
    await stack.stop();
  }
}

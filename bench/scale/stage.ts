import { Cluster } from '../../test/support/cluster/cluster.js';
import { whyNoCluster } from '../../test/support/cluster/temporal-server.js';
import { type PostgresServer, postgresPrograms, startPostgres } from '../../test/support/postgres-server.js';
import { access, type Target } from '../target.js';
import { databaseAt, type MeasuredDatabase } from './database.js';
import { Workers } from './workers.js';

/** The programs of docker-compose.yml, and what the bench reads of them. */
export interface Stage {
  cluster: Cluster;
  workers: Workers;
  handover: MeasuredDatabase;
  temporal: MeasuredDatabase;
  /** The sandbox's. */
  platform: MeasuredDatabase;
  /** For whole lifecycles. */
  target: Target;
  remove(): Promise<void>;
}

/** The sandbox has a server of its own here: what it writes is the platform's, not Handover's. */
export async function startStage(workers: number): Promise<Stage> {
  const programs = await postgresPrograms();
  const why = await whyNoCluster();
  if (programs === undefined || why !== undefined) throw new Error(`no cluster runs here: ${why}`);
  const platform = await startPostgres(programs);
  try {
    return await stageBeside(platform, workers);
  } catch (error) {
    await platform.remove();
    throw error;
  }
}

async function stageBeside(platform: PostgresServer, count: number): Promise<Stage> {
  const settings = {
    CALLBACK_SECRET: access.callbackSecret,
    PLATFORM_CHANNEL_API_KEY: access.channelKey,
    PLATFORM_SUPPLIER_API_KEY: access.supplierKey,
    HANDOVER_TOKENS: `staff:${access.token}`,
    LOG_LEVEL: 'warn',
  };
  let workers: Workers | undefined;
  const cluster = await Cluster.start(settings, { SANDBOX_DATABASE_URL: platform.url });
  try {
    workers = await Workers.replace(cluster, count);
    const running = workers;
    const { programs, databases } = cluster;
    const handover = await databaseAt(cluster.variable('api', 'DATABASE_URL'), ['handover']);
    const temporal = await databaseAt(databases['temporal-db'].url, ['temporal', 'temporal_visibility']);
    const ofPlatform = await databaseAt(platform.url, []);
    return {
      cluster,
      workers: running,
      handover,
      temporal,
      platform: ofPlatform,
      target: {
        name: 'product',
        apiUrl: cluster.apiUrl,
        receiverUrl: cluster.callbackUrl,
        sandboxUrl: cluster.sandboxUrl,
        temporalAddress: cluster.variable('api', 'TEMPORAL_ADDRESS'),
        processes: { program: programs['api-1']?.pid ?? 0, engine: programs.temporal?.pid ?? 0 },
        stop: async () => {},
      },
      async remove() {
        await Promise.all([handover.close(), temporal.close(), ofPlatform.close()]);
        await running.stop();
        await cluster.remove();
        await platform.remove();
      },
    };
  } catch (error) {
    await workers?.stop();
    await cluster.remove();
    throw error;
  }
}

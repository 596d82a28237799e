import { sql } from 'drizzle-orm';
import type { FastifyPluginAsync } from 'fastify';
import { createApi } from '../api/app.js';
import type { ApiDeps } from '../api/deps.js';
import { temporalBookings } from '../api/temporal/bookings.js';
import { temporalProbes } from '../api/temporal/probes.js';
import { temporalReservations } from '../api/temporal/reservations.js';
import { openBlobStore } from '../blobs/store.js';
import type { HandoverDb } from '../db/handover.js';
import { listInbox, readTimeline } from '../intake/reads.js';
import { receiver } from '../intake/receiver.js';
import { createInboxStore } from '../intake/store.js';
import { createMetrics } from '../metrics.js';
import type { Setting } from './setting.js';
import type { Stack } from './stack.js';
import type { TemporalClient } from './temporal.js';

/**
 * Starts the status API with the callback receiver on one port.
 * @param onStored told after each stored callback, where the relay lives in the same process
 * @returns its address
 */
export async function startApiPart(
  { config, profile, log }: Setting,
  stack: Stack,
  { temporal, db, onStored }: { temporal: TemporalClient; db: HandoverDb; onStored?: () => void },
): Promise<string> {
  const inbox = createInboxStore(db);
  const intake: FastifyPluginAsync = (app) =>
    receiver(app, {
      wire: profile.callbacks,
      authentication: config.callbacks,
      inbox,
      ...(onStored !== undefined && { onStored }),
    });
  const deps: ApiDeps = {
    tokens: config.tokens,
    zoneOffsetMinutes: profile.zone.offsetMinutes,
    log,
    metrics: createMetrics(),
    reservations: temporalReservations(temporal.client),
    bookings: temporalBookings(temporal.client),
    inbox: { list: (filter) => listInbox(db, filter) },
    timeline: { read: (id, range) => readTimeline(db, id, range) },
    photos: await openBlobStore(config.blobs),
    probes: { ...temporalProbes(temporal.client), database: () => db.execute(sql`select 1`) },
    intake,
  };
  const { url } = await stack.start(
    'status API and receiver',
    async () => {
      const app = await createApi(deps);
      return { app, url: await app.listen({ host: config.http.host, port: config.http.port }) };
    },
    async ({ app }) => {
      await app.close();
      await inbox.drained();
    },
  );
  return url;
}

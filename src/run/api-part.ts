import { sql } from 'drizzle-orm';
import type { FastifyPluginAsync } from 'fastify';
import { createAlerts } from '../alerts/alerts.js';
import { alertPage } from '../alerts/page.js';
import { createApi } from '../api/app.js';
import type { ApiDeps, CodecAccess } from '../api/deps.js';
import { temporalBookings } from '../api/temporal/bookings.js';
import { temporalForesight } from '../api/temporal/foresight.js';
import { temporalHolds } from '../api/temporal/holds.js';
import { temporalProbes } from '../api/temporal/probes.js';
import { temporalReservations } from '../api/temporal/reservations.js';
import { listAudit } from '../audit/audit.js';
import { openBlobStore } from '../blobs/store.js';
import { createBookingReads } from '../bookings/reads.js';
import { createCaseFiles } from '../cases/case-files.js';
import type { Config } from '../config.js';
import type { HandoverDatabase, HandoverDb } from '../db/handover.js';
import { createCodec } from '../engine/codec.js';
import { createFindings } from '../findings/index.js';
import { createHoldStore } from '../holds/store.js';
import { backlog } from '../intake/backlog.js';
import { createContentHashes } from '../intake/content-hash.js';
import { FigureBook } from '../intake/figures.js';
import { relayLock } from '../intake/one-active.js';
import { readTimeline } from '../intake/reads.js';
import { receiver } from '../intake/receiver.js';
import { createReceiverMetrics } from '../intake/receiver-metrics.js';
import { createInboxStore } from '../intake/store.js';
import { createMetrics } from '../metrics.js';
import { waitingPosts } from '../outbox/queue.js';
import { createSealer } from '../sealing/sealer.js';
import { showBacklog } from './backlog-metrics.js';
import { startFleetPart } from './fleet-part.js';
import { createInboxWindow } from './inbox-window.js';
import type { Setting } from './setting.js';
import type { Stack } from './stack.js';
import type { TemporalClient } from './temporal.js';

export interface ApiPartDeps {
  temporal: TemporalClient;
  db: HandoverDb;
  /** Which session has a lock: of the relays the active one. */
  lockHolder: HandoverDatabase['lockHolder'];
  session: HandoverDatabase['session'];
  /** Absent: this process reads no platform. */
  platformUrl: string | undefined;
  /** The embedded Temporal UI, whose pages may have payloads decoded. */
  uiUrl?: string | undefined;
  /** Told after each stored callback, where the relay lives in the same process. */
  onStored?: () => void;
  /** A rehearsal's, by which callbacks are received. */
  clock?: () => number;
}

/**
 * Starts the status API with the callback receiver on one port.
 * @returns its address
 */
export async function startApiPart(
  setting: Setting,
  stack: Stack,
  { temporal, db, lockHolder, session, platformUrl, uiUrl, onStored, clock }: ApiPartDeps,
): Promise<string> {
  const { config, profile, policy, log } = setting;
  const metrics = createMetrics();
  const sealer = createSealer(config.codec.keys);
  const receiverMetrics = createReceiverMetrics(metrics.registry);
  const forwards = config.forward.url !== undefined;
  const inbox = createInboxStore(db, sealer, { forwards, onReusedIds: receiverMetrics.reusedIds });
  const figures = new FigureBook();
  const intake: FastifyPluginAsync = (app) =>
    receiver(app, {
      wire: profile.callbacks,
      contentHashes: createContentHashes(config.codec.keys),
      authentication: config.callbacks,
      senders: config.callbacks.senders,
      metrics: {
        answered(channel, outcome, seconds) {
          receiverMetrics.answered(channel, outcome, seconds);
          figures.answered(channel, outcome, seconds);
        },
      },
      inbox,
      ...(onStored !== undefined && { onStored }),
      ...(clock !== undefined && { clock }),
    });
  showBacklog(metrics.registry, db);
  const alerts = createAlerts(db, { sealer, post: false });
  const raised = createAlerts(db, { sealer, post: config.alerts.url !== undefined });
  const codec = codecAccess(config.codec, uiUrl);
  const deps: ApiDeps = {
    tokens: config.tokens,
    zoneOffsetMinutes: profile.zone.offsetMinutes,
    log,
    metrics,
    reservations: temporalReservations(temporal.client, { policy, cases: createCaseFiles(db, sealer) }),
    bookings: temporalBookings(temporal.client, {
      reads: createBookingReads(db, sealer),
      matchMs: config.bookings.matchMs,
    }),
    holds: temporalHolds(temporal.client, {
      store: createHoldStore(db, sealer),
      zoneOffsetMinutes: profile.zone.offsetMinutes,
      historyEventsPerRun: config.historyEventsPerRun,
    }),
    fleet: await startFleetPart(setting, stack, { temporal, db, sealer, session, platformUrl, clock }),
    findings: createFindings(db, { sealer, alerts: raised }),
    inbox: createInboxWindow(db, {
      wire: profile.callbacks,
      sealer,
      ask: temporalForesight(temporal.client, { policy }),
      clock: clock ?? Date.now,
    }),
    intakeState: async () => {
      const [receiver, { events, oldestAt, newestAt, deadLetters }, relay, waiting] = await Promise.all([
        figures.read(),
        backlog(db),
        lockHolder(relayLock),
        waitingPosts(db, 'forward'),
      ]);
      // what still waits for an address that is not set any more is told too
      const forwarding =
        forwards || waiting.posts > 0 ? { events: waiting.posts, oldestAt: waiting.oldestAt } : null;
      const asOf = (clock ?? Date.now)();
      return {
        receiver,
        backlog: { events, oldestAt },
        deadLetters,
        lastEventAt: newestAt,
        relay,
        forwarding,
        asOf,
      };
    },
    audit: { list: (filter) => listAudit(db, sealer, filter) },
    timeline: { read: (id, range) => readTimeline(db, id, range) },
    alerts: { list: (query) => alertPage(alerts, query) },
    photos: await openBlobStore(config.blobs),
    probes: { ...temporalProbes(temporal.client), database: () => db.execute(sql`select 1`) },
    intake,
    ...(codec !== undefined && { codec }),
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
    'first',
  );
  return url;
}

function codecAccess(
  { keys, endpointToken: token, uiOrigin }: Config['codec'],
  uiUrl: string | undefined,
): CodecAccess | undefined {
  if (token === undefined) return undefined;
  // a person may open the one as well as the other
  const embedded = uiUrl === undefined ? [] : [uiUrl, uiUrl.replace('//127.0.0.1', '//localhost')];
  const codec = createCodec(keys);
  return {
    token,
    uiOrigins: uiOrigin === undefined ? embedded : [...embedded, uiOrigin],
    decode: (payloads) => codec.decode(payloads),
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { createApi } from '../../api/app.js';
import type { ApiDeps } from '../../api/deps.js';
import { createSenderOf } from '../../api/http/sender.js';
import { createLoginSealer } from '../../api/http/session-cookie.js';
import { createInboxExplorer } from '../../inbox/explorer.js';
import { readIntakeState } from '../../inbox/intake-state.js';
import { storedChannel } from '../../inbox/relay/shard-owner.js';
import { createActivity } from '../../store/activity.js';
import { createAlerts } from '../../store/alerts/alerts.js';
import { createAnswers } from '../../store/answers.js';
import { createAudit } from '../../store/audit.js';
import { createBookingReads } from '../../store/bookings/reads.js';
import { createPlates } from '../../store/cars/plates.js';
import { ChangeFeed } from '../../store/changes/feed.js';
import { rowsOf } from '../../store/connection/rows.js';
import { ShortOutages } from '../../store/connection/short-outages.js';
import { assertWritable } from '../../store/connection/writable.js';
import { createCertificates } from '../../store/erasure/certificates.js';
import { createFindings } from '../../store/findings/board.js';
import type { HandoverDatabase } from '../../store/handover.js';
import { createHoldCloser } from '../../store/holds/close.js';
import { createHoldStore } from '../../store/holds/store.js';
import { createUndeliveredPosts } from '../../store/outbox/dead-letters.js';
import { createPersons } from '../../store/persons.js';
import { openBlobStore } from '../../store/photos/store.js';
import { createCaseFiles } from '../../store/reservations/case-files.js';
import { createClaims } from '../../store/reservations/claims.js';
import { createEndedReservations, isClosedBy } from '../../store/reservations/ended.js';
import { createReservationLists } from '../../store/reservations/lists.js';
import { whenListsAreReady } from '../../store/reservations/lists-ready.js';
import { createOpenRows } from '../../store/reservations/open-rows.js';
import { createTimeline } from '../../store/reservations/timeline.js';
import { createInboxTraces } from '../../store/reservations/traces.js';
import { createSchedule } from '../../store/schedule.js';
import { createKeyedHashes } from '../../store/sealing/keyed-hashes.js';
import { createSealer } from '../../store/sealing/sealer.js';
import { createShifts } from '../../store/shifts.js';
import { temporalBookings } from '../../temporal/client/bookings/bookings.js';
import type { TemporalClient } from '../../temporal/client/create-client.js';
import { temporalHolds } from '../../temporal/client/holds/holds.js';
import { temporalProbes } from '../../temporal/client/probes.js';
import { temporalPreview } from '../../temporal/client/reservations/preview.js';
import { temporalReservations } from '../../temporal/client/reservations/reservations.js';
import type { ReadSdkMetrics } from '../../temporal/worker/sdk-metrics.js';
import { consoleFolder, readBuildId, version } from '../installation.js';
import { showBacklog } from '../metrics/backlog.js';
import { processMetrics } from '../metrics/process.js';
import { showStored } from '../metrics/stored.js';
import type { Setting } from '../startup/setting.js';
import type { Stack } from '../startup/stack.js';
import { codecAccess } from './codec-access.js';
import { eraserOf } from './erasure.js';
import { startFleetPart } from './fleet.js';
import { startPhotoPart } from './photo.js';
import { intakeProbeOf } from './receiver/intake.js';
import { startReceiverPart } from './receiver/part.js';
import type { WorkerHealth } from './worker-health.js';

const callbackReceived = { event: 'callback', id: null, codes: ['received'] } as const;

export interface ApiPartDeps {
  temporal: TemporalClient;
  database: HandoverDatabase;
  /** Absent: this process reads no platform. */
  platformUrl: string | undefined;
  /** The embedded Temporal UI, whose pages may have payloads decoded. */
  uiUrl?: string | undefined;
  /** Called after each stored callback, where the relay runs in the same process. */
  onStored?: () => void;
  /** Wakes the relay, in whichever process it runs. */
  wakeRelay: () => void;
  /** The worker in the same process: where it hangs, `/healthz` fails; `/metrics` shows its SDK's metrics. */
  worker?: { health: WorkerHealth; sdkMetrics: ReadSdkMetrics };
  /** A rehearsal's, by which callbacks are received. */
  clock?: () => number;
}

/**
 * Starts the status API with the callback receiver, on one port unless CALLBACK_PORT gives the receiver its own.
 * @returns the address of the status API
 */
export async function startApiPart(
  setting: Setting,
  stack: Stack,
  { temporal, database, platformUrl, uiUrl, onStored, wakeRelay, worker, clock }: ApiPartDeps,
): Promise<string> {
  const { config, profile, policy, log, tracing } = setting;
  const serving = { isStopping: false };
  const isStopping = () => serving.isStopping;
  // uses the connections that store callbacks: requests of staff may occupy the others
  const outages = new ShortOutages();
  const intakeProbe = intakeProbeOf(database, outages);
  const { db, prompt, session } = database;
  const metrics = processMetrics(setting, worker?.health);
  const sealer = createSealer(config.codec.keys, config.codec);
  const receiver = await startReceiverPart(setting, stack, {
    database,
    metrics,
    probe: intakeProbe,
    outages,
    isStopping,
    onStored,
    clock,
  });
  showBacklog(metrics.registry, db);
  showStored(metrics.registry, db, config.erasure);
  // the board waits for them
  const alerts = createAlerts(prompt, { sealer, post: config.alerts.url !== undefined });
  const cases = createCaseFiles(prompt, sealer, config.codec.keys);
  const ended = createEndedReservations(prompt);
  const openRows = createOpenRows(sealer, config.codec.keys);
  const answers = createAnswers(db, createKeyedHashes(config.codec.keys, 'requests'));
  const whenReady = whenListsAreReady(prompt);
  const claims = createClaims(prompt, sealer);
  const codec = codecAccess(config.codec, temporal.dataConverter, uiUrl);
  const photos = await openBlobStore(config.blobs, temporal.dataKeys);
  const changes = await stack.start(
    'feed of changes',
    async () =>
      new ChangeFeed(database, { also: { [storedChannel]: callbackReceived }, release: readBuildId() }),
    (feed) => feed.stop(),
  );
  const reservations = temporalReservations(temporal.client, {
    policy,
    cases,
    inbox: createInboxTraces(prompt),
    wakeRelay,
  });
  const deps: ApiDeps = {
    tokens: config.tokens,
    senderOf: createSenderOf(config.callbacks.senders.proxies),
    sessionSealer: createLoginSealer(config.codec.keys),
    installation: {
      version,
      temporalUi: uiUrl ?? config.codec.uiOrigin ?? null,
      temporalNamespace: temporal.target.namespace,
    },
    consoleFolder,
    ...(config.oidc !== undefined && { oidc: config.oidc }),
    docs: config.docs,
    zoneOffsetMinutes: profile.zone.offsetMinutes,
    log,
    metrics,
    reservations,
    lists: createReservationLists(database, openRows),
    bookings: temporalBookings(temporal.client, { reads: createBookingReads(prompt, sealer) }),
    holds: temporalHolds(temporal.client, {
      store: createHoldStore(prompt, sealer),
      close: createHoldCloser(prompt, { sealer, alerts }),
      zoneOffsetMinutes: profile.zone.offsetMinutes,
      historyEventsPerRun: policy.historyEventsPerRun,
    }),
    fleet: await startFleetPart(setting, stack, { temporal, prompt, sealer, session, platformUrl, clock }),
    findings: createFindings(db, { sealer, alerts, answers }),
    inbox: createInboxExplorer(db, {
      wire: profile.callbacks,
      sealer,
      answers,
      previewEvents: temporalPreview(temporal.client, { policy }),
      clock: clock ?? Date.now,
    }),
    intakeState: () =>
      readIntakeState(db, {
        figures: receiver.figures,
        forwards: config.forward.url !== undefined,
        clock: clock ?? Date.now,
      }),
    outbox: createUndeliveredPosts(database, { sealer, answers }),
    audit: { ...createAudit(db, sealer), record: createAudit(prompt, sealer).record },
    timeline: createTimeline(prompt),
    alerts,
    changes,
    claims: { ...claims, claim: whenReady(claims.claim), release: whenReady(claims.release) },
    persons: createPersons(prompt),
    activity: createActivity(db),
    plates: createPlates(db, { openRows, sealer }),
    isClosed: isClosedBy(cases, ended),
    erasures: { ...createCertificates(db), ...eraserOf(setting, { temporal, db, sealer, photos }) },
    shifts: { ...createShifts(db, sealer), add: createShifts(prompt, sealer).add },
    schedule: { read: whenReady(createSchedule(prompt, openRows).read) },
    photos,
    probes: {
      ...temporalProbes(temporal.client),
      database: () => assertWritable(async (state) => rowsOf(await prompt.execute(state))),
    },
    intakeProbe,
    isStopping,
    tracing,
    trusted: receiver.trusted,
    ...(receiver.plugin !== undefined
      ? { intake: receiver.plugin }
      : { callbacksElsewhere: Object.values(profile.callbacks.paths) }),
    ...(receiver.thread !== undefined && { receiver: receiver.thread.ready }),
    liveness: {
      ...worker?.health.liveness(),
      ...(receiver.thread !== undefined && { receiver: receiver.thread.alive }),
    },
    ...(worker !== undefined && { sdkMetrics: worker.sdkMetrics }),
    ...(codec !== undefined && { codec }),
  };
  await startPhotoPart(stack, { photos, reservations, log });
  const { url } = await stack.start(
    receiver.plugin === undefined ? 'status API' : 'status API and receiver',
    async () => {
      const app = await createApi(deps);
      return { app, url: await app.listen({ host: config.http.host, port: config.http.port }) };
    },
    async ({ app }) => {
      await app.close();
      await receiver.drained();
    },
    'first',
  );
  // started last, so it is stopped first: load balancers notice while every request is still served
  await stack.start(
    'readiness',
    async () => serving,
    async (state, { drains }) => {
      state.isStopping = true;
      receiver.drain();
      if (drains) await sleep(config.http.drainMs);
    },
    'first',
  );
  return url;
}

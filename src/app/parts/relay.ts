import { housekeeping, type IntakeSettings } from '../../inbox/housekeeping.js';
import type { Duty } from '../../inbox/relay/duty.js';
import { measureEventLoop } from '../../inbox/relay/event-loop.js';
import type { Rate } from '../../inbox/relay/rate.js';
import { Relay } from '../../inbox/relay/relay.js';
import { type OwnShards, ShardOwner } from '../../inbox/relay/shard-owner.js';
import { Unjudged } from '../../inbox/relay/unjudged.js';
import { createAlerts } from '../../store/alerts/alerts.js';
import { selectStillSent } from '../../store/callbacks/verdicts.js';
import type { Lease } from '../../store/connection/lease.js';
import type { HandoverDatabase } from '../../store/handover.js';
import { createEndedReservations } from '../../store/reservations/ended.js';
import { createLateEvents } from '../../store/reservations/late-events.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import type { TemporalClient } from '../../temporal/client/create-client.js';
import { createSendBatch } from '../../temporal/client/reservations/send-batch.js';
import type { Config } from '../config/index.js';
import { reportingCallbacks } from '../metrics/mismatches.js';
import type { Setting } from '../startup/setting.js';
import type { Stack } from '../startup/stack.js';

interface RelayPartDeps {
  temporal: TemporalClient;
  database: HandoverDatabase;
  sealer: Sealer;
  /** The receiver's. */
  clock: () => number;
  /** Of the connection to Temporal; absent: it is there. */
  isConnected: (() => boolean) | undefined;
  /** Of the receiver in this process, if there is one. */
  overload?: Pick<Rate, 'isHigh'> | undefined;
  /** What else the process with the leading relay does. */
  duties?: readonly ((lease: Lease) => Duty)[];
}

/**
 * Starts the relay for this process's share of the shards. One of all processes also watches the inbox and purges old rows.
 */
export async function startRelayPart(
  { config, profile, policy, log, measures, tracing }: Setting,
  stack: Stack,
  { temporal, database, sealer, clock, isConnected, overload, duties: others = [] }: RelayPartDeps,
): Promise<ShardOwner> {
  const { db } = database;
  const posts = config.alerts.url !== undefined;
  const alerts = createAlerts(db, { sealer, post: posts });
  const { onJudged } = measures;
  const endedReservations = createEndedReservations(db);
  const send = measures.measureSends(
    createSendBatch(temporal.client, { policy, direct: config.codec.writesDataKeys, endedReservations }),
  );
  const recordLate = createLateEvents(db, policy.fromStates, posts ? sealer : undefined, onJudged);
  const loop = measureEventLoop();
  const lagMs = () => loop.lagMs();
  const isOverloaded = () => overload?.isHigh ?? false;
  const wire = reportingCallbacks(profile.callbacks, measures.onMismatch);
  // of the process: a relay that follows another one of it, after a lost session, sends no further ahead
  const unjudged = new Unjudged({ selectStillSent: (ids) => selectStillSent(db, ids) });
  const relayOf = (shards: OwnShards) =>
    new Relay({
      db,
      wire,
      sealer,
      send,
      recordLate,
      onJudged,
      tracing,
      log,
      unjudged,
      lagMs,
      isOverloaded,
      clock,
      shards,
    });
  const duties = (lease: Lease) => [
    ...housekeeping({ database, alerts, settings: intakeOf(config), log, lease, clock }),
    ...others.map((duty) => duty(lease)),
  ];
  return stack.start(
    'relay',
    async () => {
      const relay = new ShardOwner({ session: database.session, relay: relayOf, duties, log, isConnected });
      relay.start();
      return relay;
    },
    async (relay) => {
      await relay.stop();
      loop.stop();
    },
  );
}

/**
 * The platform calls only the demand channel. A supplier with CALLBACK_SECRETS receives callbacks from the channel that
 * forwards to it (F78). Any other deployment receives none, so silence raises no alert there.
 */
export function intakeOf({ intake, platform, callbacks }: Config): IntakeSettings {
  const receivesCallbacks = platform.channelKey !== undefined || callbacks.expected;
  return { ...intake, silenceAfterMs: receivesCallbacks ? intake.silenceAfterMs : null };
}

import { createAlerts } from '../alerts/alerts.js';
import type { Config } from '../config.js';
import type { HandoverDatabase } from '../db/handover.js';
import { measureEventLoop } from '../intake/event-loop.js';
import { housekeeping, type IntakeSettings } from '../intake/housekeeping.js';
import { createLateEvents } from '../intake/late-events.js';
import { OneActive } from '../intake/one-active.js';
import { Relay } from '../intake/relay.js';
import type { Rush } from '../intake/rush.js';
import { createSendBatch } from '../intake/send-batch.js';
import type { Sealer } from '../sealing/sealer.js';
import type { Setting } from './setting.js';
import type { Stack } from './stack.js';
import type { TemporalClient } from './temporal.js';

interface RelayPartDeps {
  temporal: TemporalClient;
  database: HandoverDatabase;
  sealer: Sealer;
  /** The receiver's. */
  clock: () => number;
  /** Of the receiver in this process, if there is one. */
  rush?: Pick<Rush, 'isOn'> | undefined;
}

/**
 * Starts the relay, active or standing by. The active one's process also watches over the inbox and folds what is old.
 */
export async function startRelayPart(
  { config, profile, policy, log }: Setting,
  stack: Stack,
  { temporal, database, sealer, clock, rush }: RelayPartDeps,
): Promise<OneActive> {
  const { db } = database;
  const posts = config.alerts.url !== undefined;
  const alerts = createAlerts(db, { sealer, post: posts });
  const send = createSendBatch(temporal.client, { policy });
  const recordLate = createLateEvents(db, policy.fromStates, posts ? sealer : undefined);
  const loop = measureEventLoop();
  const lagMs = () => loop.lagMs();
  const isRush = () => rush?.isOn ?? false;
  const wire = profile.callbacks;
  const duties = () => [
    new Relay({ db, wire, sealer, send, recordLate, log, lagMs, isRush, clock }),
    ...housekeeping({ database, alerts, settings: intakeOf(config), log }),
  ];
  return stack.start(
    'relay',
    async () => {
      const relay = new OneActive({ session: database.session, duties, log });
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
 * The platform calls the demand channel alone, and a supplier hears from the channel that forwards to it where it was given
 * CALLBACK_SECRETS (F78). Any other deployment hears nothing, and silence means nothing.
 */
export function intakeOf({ intake, platform, callbacks }: Config): IntakeSettings {
  const hears = platform.channelKey !== undefined || callbacks.expected;
  return { ...intake, silenceAfterMs: hears ? intake.silenceAfterMs : null };
}

import type { FastifyPluginAsync } from 'fastify';
import type { Registry } from 'prom-client';
import { TrustedSenders } from '../../../api/http/trusted-senders.js';
import { createContentHashes } from '../../../inbox/receive/content-hash.js';
import { FigureBook } from '../../../inbox/receive/figures.js';
import { receiver } from '../../../inbox/receive/receiver.js';
import { createReceiverMetrics } from '../../../inbox/receive/receiver-metrics.js';
import { createInboxStore, type InboxStore } from '../../../store/callbacks/insert.js';
import type { ShortOutages } from '../../../store/connection/short-outages.js';
import { assertWritable } from '../../../store/connection/writable.js';
import type { HandoverDatabase } from '../../../store/handover.js';
import { createSealer } from '../../../store/sealing/sealer.js';
import type { Probe } from '../../../temporal/client/probes.js';
import type { Config } from '../../config/index.js';
import { showReceiverLag } from '../../metrics/receiver.js';
import type { Setting } from '../../startup/setting.js';

/** Plain data: a thread gets a copy. */
export interface IntakeSettings {
  callbacks: Config['callbacks'];
  codec: Pick<Config['codec'], 'keys' | 'bind'>;
  /** Each new callback also goes to FORWARD_URL. */
  forwards: boolean;
}

export interface IntakeDeps extends Pick<Setting, 'profile' | 'tracing'> {
  database: Pick<HandoverDatabase, 'commit'>;
  /** Of this database; shared with its probe. */
  outages: ShortOutages;
  registry: Registry;
  /** Called after each stored callback. */
  onStored?: (() => void) | undefined;
  /** A rehearsal's, by which callbacks are received. */
  clock?: (() => number) | undefined;
}

export interface Intake {
  plugin: FastifyPluginAsync;
  inbox: InboxStore;
  figures: FigureBook;
  trusted: TrustedSenders;
}

export function intakeSettingsOf({ callbacks, codec, forward }: Config): IntakeSettings {
  const { keys, bind } = codec;
  return { callbacks, codec: { keys, bind }, forwards: forward.url !== undefined };
}

/** Resolves while callbacks can be stored, by the connections that store them, and while a database that restarts is waited for. */
export function intakeProbeOf({ commit }: Pick<HandoverDatabase, 'commit'>, outages: ShortOutages): Probe {
  return () => outages.probe(() => assertWritable((state) => commit({ statements: [state], inOrderOf: [] })));
}

/** The receiver of callbacks with its inbox and figures, for whichever server it is registered on. */
export function createIntake(
  { callbacks, codec, forwards }: IntakeSettings,
  { profile, tracing, database, outages, registry, onStored, clock }: IntakeDeps,
): Intake {
  showReceiverLag(registry);
  const metrics = createReceiverMetrics(registry, Object.keys(profile.callbacks.paths));
  const inbox = createInboxStore(database, createSealer(codec.keys, codec), {
    forwards,
    onReusedIds: metrics.reusedIds,
    onStored: metrics.storedRows,
    outages,
  });
  const figures = new FigureBook();
  const trusted = new TrustedSenders(callbacks.senders);
  const plugin: FastifyPluginAsync = (app) =>
    receiver(app, {
      wire: profile.callbacks,
      contentHashes: createContentHashes(codec.keys),
      authentication: callbacks,
      senders: trusted,
      metrics: {
        countAnswer(answer) {
          metrics.countAnswer(answer);
          figures.countAnswer(answer);
        },
      },
      inbox,
      tracing,
      ...(onStored !== undefined && { onStored }),
      ...(clock !== undefined && { clock }),
    });
  return { plugin, inbox, figures, trusted };
}

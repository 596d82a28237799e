import type { FastifyPluginAsync } from 'fastify';
import type { Metrics } from '../../../api/http/metrics.js';
import { TrustedSenders } from '../../../api/http/trusted-senders.js';
import type { ReceiverFigures } from '../../../inbox/receive/figures.js';
import type { ShortOutages } from '../../../store/connection/short-outages.js';
import type { HandoverDatabase } from '../../../store/handover.js';
import type { Probe } from '../../../temporal/client/probes.js';
import { countReceiverRestarts } from '../../metrics/receiver.js';
import type { Setting } from '../../startup/setting.js';
import type { Stack } from '../../startup/stack.js';
import { printLine } from '../../startup/until-stopped.js';
import { createIntake, intakeSettingsOf } from './intake.js';
import { startListener } from './listener.js';
import type { ThreadSettings } from './messages.js';
import { ReceiverThread, type ThreadDeps } from './thread.js';

interface ReceiverDeps {
  database: Pick<HandoverDatabase, 'kind' | 'commit' | 'share'>;
  metrics: Metrics;
  /** Resolves while callbacks can be stored. */
  probe: Probe;
  outages: ShortOutages;
  isStopping: () => boolean;
  onStored?: (() => void) | undefined;
  clock?: (() => number) | undefined;
}

export interface ReceiverPart {
  /** For the server of the status API, which then receives callbacks; absent: they have a port of their own. */
  plugin?: FastifyPluginAsync;
  /** Of the server of the status API; with `plugin` the receiver's too. */
  trusted: TrustedSenders;
  figures(): Promise<ReceiverFigures>;
  /** From now on the receiver is not ready, and still serves. */
  drain(): void;
  /** Resolves when what was received is stored. */
  drained(): Promise<void>;
  /** Absent: the receiver shares the thread of the status API. `ready`: it receives now. `alive`: a restart of the process would not help. */
  thread?: Record<'ready' | 'alive', Probe>;
}

/**
 * Starts the receiver. With a port of its own (CALLBACK_PORT) it also has a thread of its own: callbacks do not wait for the event
 * loop and the garbage collections of status API, consoles, relay and worker. In a rehearsal the receiver stays in the
 * thread of the process, as its clock and database do.
 */
export async function startReceiverPart(
  setting: Setting,
  stack: Stack,
  { database, metrics, probe, outages, isStopping, onStored, clock }: ReceiverDeps,
): Promise<ReceiverPart> {
  const { config, profile, log, tracing } = setting;
  const { host } = config.http;
  // shown by every receiver
  const onRestart = countReceiverRestarts(metrics.registry);
  const { port } = config.callbacks;
  const { share } = database;
  const hasThread = clock === undefined && (database.kind === 'postgres' || share !== undefined);
  if (port !== undefined && hasThread) {
    const { logLevel, wireProfile, databaseUrl } = config;
    const settings = { ...intakeSettingsOf(config), host, port, databaseUrl, logLevel, wireProfile };
    return startThread(setting, stack, { settings, metrics, onStored, onRestart, share });
  }
  const { registry } = metrics;
  const deps = { profile, tracing, database, outages, registry, onStored, clock };
  const { plugin, inbox, figures, trusted } = createIntake(intakeSettingsOf(config), deps);
  if (port !== undefined) {
    const server = { log, metrics, trusted, isStopping, tracing, intake: plugin, probe };
    printLine(`callback receiver on ${await startListener(stack, server, { host, port, inbox })}`);
  }
  return {
    ...(port === undefined && { plugin }),
    trusted,
    figures: () => figures.read(),
    drain: () => {},
    drained: () => inbox.drained(),
  };
}

async function startThread(
  { config, log, writeLine }: Setting,
  stack: Stack,
  {
    settings,
    metrics,
    ...calls
  }: { settings: ThreadSettings; metrics: Metrics } & Pick<ThreadDeps, 'onStored' | 'onRestart' | 'share'>,
): Promise<ReceiverPart> {
  const startedAt = Date.now();
  const { thread, url } = await stack.start(
    'callback receiver',
    () => ReceiverThread.start(settings, { log, writeLine, ...calls }),
    ({ thread }) => thread.stop(),
    'first',
  );
  metrics.ofThreads = () => thread.reports.metrics;
  printLine(`callback receiver on ${url}`);
  return {
    trusted: new TrustedSenders(config.callbacks.senders),
    figures: async () => thread.reports.figures(startedAt),
    drain: () => thread.drain(),
    drained: async () => {},
    thread: { ready: async () => thread.assertReady(), alive: async () => thread.assertAlive() },
  };
}

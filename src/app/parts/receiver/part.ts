import type { FastifyPluginAsync } from 'fastify';
import type { Metrics } from '../../../api/http/metrics.js';
import { TrustedSenders } from '../../../api/http/trusted-senders.js';
import type { ReceiverFigures } from '../../../inbox/receive/figures.js';
import type { HandoverDatabase } from '../../../store/handover.js';
import type { Probe } from '../../../temporal/client/probes.js';
import type { Setting } from '../../startup/setting.js';
import type { Stack } from '../../startup/stack.js';
import { printLine } from '../../startup/until-stopped.js';
import { createIntake } from './intake.js';
import { startListener } from './listener.js';
import { ReceiverThread } from './thread.js';

interface ReceiverDeps {
  database: Pick<HandoverDatabase, 'kind' | 'commit'>;
  metrics: Metrics;
  /** Resolves while callbacks can be stored. */
  probe: Probe;
  isStopping: () => boolean;
  onStored?: (() => void) | undefined;
  clock?: (() => number) | undefined;
}

export interface ReceiverPart {
  /** For the server of the status API, which then receives callbacks; absent: they have a port of their own. */
  plugin?: FastifyPluginAsync;
  /** Shared with the server of the status API. */
  trusted: TrustedSenders;
  figures(): Promise<ReceiverFigures>;
  /** From now on the receiver is not ready, and still serves. */
  drain(): void;
  /** Resolves when what was received is stored. */
  drained(): Promise<void>;
  /** Rejects where only a restart helps; absent: the receiver shares the thread of the status API. */
  liveness?: Probe;
}

/**
 * Starts the receiver. With a port of its own (CALLBACK_PORT) and a database server it also has a thread of its own: whatever the
 * status API, its consoles, the relay and the worker of this process do, callbacks do not wait for them. The embedded database lives
 * in the thread of the process, and a rehearsal's clock does too: there the receiver is in that thread.
 */
export async function startReceiverPart(
  setting: Setting,
  stack: Stack,
  { database, metrics, probe, isStopping, onStored, clock }: ReceiverDeps,
): Promise<ReceiverPart> {
  const { config, log, tracing } = setting;
  const { port } = config.callbacks;
  if (port !== undefined && database.kind === 'postgres' && clock === undefined) {
    const thread = await stack.start(
      'callback receiver',
      () => ReceiverThread.start(setting, onStored),
      (running) => running.stop(),
      'first',
    );
    metrics.alsoOf = () => thread.metrics;
    printLine(`callback receiver on ${thread.url}`);
    return {
      trusted: new TrustedSenders(config.callbacks.senders),
      figures: async () => thread.figures,
      drain: () => thread.drain(),
      drained: async () => {},
      liveness: async () => thread.assertAlive(),
    };
  }
  const intake = createIntake(setting, { database, registry: metrics.registry, onStored, clock });
  const { plugin, inbox, figures, trusted } = intake;
  if (port !== undefined) {
    const server = { log, metrics, trusted, isStopping, tracing, intake: plugin, probe };
    const url = await startListener(stack, server, { host: config.http.host, port, inbox });
    printLine(`callback receiver on ${url}`);
  }
  return {
    ...(port === undefined && { plugin }),
    trusted,
    figures: () => figures.read(),
    drain: () => {},
    drained: () => inbox.drained(),
  };
}

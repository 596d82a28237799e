import { randomUUID } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { Logger } from 'pino';
import type { Instant } from '../platform/model.js';
import type { WireProfile } from '../platform/profile.js';
import { advanceTo, nextInstant, readStoredClock, runDue } from './actions/advance.js';
import { openAgenda } from './agenda.js';
import { openDispatcher } from './callbacks/dispatcher.js';
import type { CallbackTarget } from './callbacks/target.js';
import type { Sandbox } from './context.js';
import { Clock } from './core/clock.js';
import { openCallbackFaults } from './faults/callbacks.js';
import { openCallFaults } from './faults/calls.js';
import type { FleetName } from './fleet/fleets.js';
import { seed } from './fleet/seed.js';
import { createApp } from './http/app.js';
import { createAuthenticator, type SandboxKey } from './http/caller.js';
import { createSandboxMetrics } from './metrics.js';
import { openJournal } from './store/journal.js';
import { readUnsent } from './store/outbox.js';
import { openStore, type SandboxDb } from './store/store.js';

export interface SandboxOptions {
  host: string;
  /** 0: any free port. */
  port: number;
  /** Data folder of the embedded database; unused with `databaseUrl`. */
  folder: string;
  databaseUrl?: string | undefined;
  profile: WireProfile;
  keys: readonly SandboxKey[];
  /** Absent: callbacks are stored and not sent, and 50 is never set (G36). */
  callback?: CallbackTarget | undefined;
  /** Put into an empty database. */
  fleet: FleetName;
  logger: Logger;
  /** Address under which other machines reach it, where it differs from the listening one: for the addresses of photos. */
  publicUrl?: string | undefined;
}

export interface RunningSandbox {
  url: string;
  port: number;
  /** Replaces the receiver; undefined: callbacks are stored and not sent. */
  setCallback(target: CallbackTarget | undefined): void;
  /** The platform's time for a caller in the same process; over HTTP it is `/sandbox/clock`. */
  time: {
    /** Resolves when no callback is being sent or queued. */
    untilDelivered(): Promise<void>;
    /** When something falls due next; null when nothing is planned. */
    next(): Promise<Instant | null>;
    /** Moves a frozen clock on, doing what falls due on the way; an instant already passed changes nothing. */
    advanceTo(at: Instant): Promise<void>;
  };
  /** Its database, for a caller in the same process. */
  db: SandboxDb;
  close(): Promise<void>;
}

/**
 * Starts the sandbox platform: its database (migrated, seeded when empty), its HTTP side, its callbacks and its
 * time rules. Work that was under way at its last stop continues.
 */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const { profile, logger } = options;
  const store = await openStore(options);
  try {
    await seed(store.db, options.fleet);
    let url = '';
    const clock = new Clock(await readStoredClock(store.db));
    const journal = openJournal(store.db, logger);
    const metrics = createSandboxMetrics();
    const faults = { calls: openCallFaults(), callbacks: openCallbackFaults() };
    const dispatcher = openDispatcher({
      db: store.db,
      profile,
      clock,
      journal,
      faults: faults.callbacks,
      logger,
      countCallback: metrics.countCallback,
      onRetryPlanned: (at) => agenda.note(at),
    });
    const agenda = openAgenda(
      clock,
      { runDue: () => runDue(sandbox), nextInstant: () => nextInstant(sandbox) },
      logger,
    );
    const sandbox: Sandbox = {
      db: store.db,
      profile,
      clock,
      journal,
      dispatcher,
      agenda,
      faults,
      newId: randomUUID,
      logger,
      metrics,
      publicUrl: () => options.publicUrl ?? url,
    };
    dispatcher.setTarget(options.callback);
    const app = await createApp({
      sandbox,
      authenticate: createAuthenticator(options.keys),
      controlsNeedKey: !isLoopback(options.host),
    });
    const waiting = await readUnsent(store.db); // read before any request can add to it
    url = await app.listen({ host: options.host, port: options.port });
    dispatcher.enqueue(waiting);
    void agenda.wake().catch(() => {}); // the agenda logs its failure and tries again
    return {
      url,
      db: store.db,
      port: Number(new URL(url).port),
      setCallback(target) {
        dispatcher.setTarget(target);
        void agenda.wake().catch(() => {});
      },
      time: {
        untilDelivered: () => dispatcher.untilDelivered(),
        next: () => nextInstant(sandbox),
        advanceTo: (at) => advanceTo(sandbox, at),
      },
      async close() {
        app.server.closeAllConnections(); // a hang of the fault plan would hold the server for ever
        await app.close();
        await agenda.close();
        await dispatcher.close();
        await journal.flush();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

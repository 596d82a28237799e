import type { Logger } from 'pino';
import type { WireProfile } from '../platform/profile.js';
import type { Agenda } from './agenda.js';
import type { Dispatcher } from './callbacks/dispatcher.js';
import type { Clock } from './core/clock.js';
import type { CallbackFaults } from './faults/callbacks.js';
import type { CallFaults } from './faults/calls.js';
import type { SandboxMetrics } from './metrics.js';
import type { Journal } from './store/journal.js';
import type { SandboxDb } from './store/store.js';

/** Everything that an action of the sandbox works with. */
export interface Sandbox {
  db: SandboxDb;
  profile: WireProfile;
  clock: Clock;
  journal: Journal;
  dispatcher: Dispatcher;
  agenda: Agenda;
  faults: { calls: CallFaults; callbacks: CallbackFaults };
  /** A fresh UUID: for `webhook-id`s and photos. */
  newId(): string;
  logger: Logger;
  metrics: SandboxMetrics;
  /** The sandbox's own base address, for the addresses of photos. */
  publicUrl(): string;
}

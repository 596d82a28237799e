import type { Role } from '../../contract/role.js';
import type { Alerts } from './alerts.js';

/** Knows which roles are suspended: nothing is sent under their keys (L30). */
export interface RoleGate {
  isSuspended(role: Role): Promise<boolean>;
  /** The alerts of roles have changed: the next call reads the database. */
  forget(): void;
}

const freshMs = 1_000;
const answerWithinMs = 500;

/**
 * Reads the open alerts, once a second at most. A database that does not answer in time delays no request: the
 * last reading applies, and before the first one no role counts as suspended.
 */
export function createRoleGate(alerts: Pick<Alerts, 'list'>): RoleGate {
  let known: ReadonlySet<string> = new Set();
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    const { items: open } = await alerts.list({ state: 'open', kind: 'role-suspended', limit: 10 });
    known = new Set(open.map(({ subject }) => subject));
  }

  return {
    async isSuspended(role) {
      if (performance.now() - readAt > freshMs) {
        readAt = performance.now();
        reading = waitBriefly(read()).finally(() => {
          reading = null;
        });
      }
      await reading;
      return known.has(role);
    },
    forget() {
      readAt = Number.NEGATIVE_INFINITY;
    },
  };
}

function waitBriefly(read: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, answerWithinMs);
    read
      .catch(() => {})
      .finally(() => {
        clearTimeout(timer);
        resolve();
      });
  });
}

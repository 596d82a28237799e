import type { Client } from '@temporalio/client';
import type { Activities, RoleActivities } from '../src/contract/activities.js';
import { reservationWorkflowId } from '../src/contract/names.js';
import { type KeyState, type Role, type RoleStart, roleRestoredSignal } from '../src/contract/role.js';
import { forEach } from '../src/domain/shared/for-each.js';
import type { CallOptions, PlatformClient } from '../src/platform/client/index.js';
import { PlatformCallError } from '../src/platform/errors.js';
import type { Alerts } from '../src/store/alerts/alerts.js';
import { message } from '../src/store/alerts/messages/message.js';
import type { RoleGate } from '../src/store/alerts/role-gate.js';
import { notifyRole } from '../src/temporal/client/roles.js';
import { signalIfOpen } from '../src/temporal/client/signal-if-open.js';
import { readOptions } from './shared/time.js';

export interface RoleDeps {
  client: Client;
  /** The task queue whose workers run workflows. An activity's own queue may have none. */
  queue: string;
  alerts: Pick<Alerts, 'raise' | 'clear'>;
  gate: RoleGate;
  /** Given to the workflow of a suspended role. */
  settings: Pick<RoleStart, 'probeMs' | 'historyEventsPerRun'>;
  /** Moves its workflow to where workflows run, if 0.2.0 started it elsewhere. True: it was moved. */
  moveStranded(role: Role): Promise<boolean>;
}

/** Signals on their way at once. */
const atOnce = 8;

/** What a role whose key the platform refuses asks for (L30). */
export function roleActivities(deps: RoleDeps): RoleActivities {
  const { client, alerts, gate } = deps;
  const kind = 'role-suspended' as const;
  return {
    suspendRole: (suspension) => notifyRole(deps, suspension),
    async raiseAlert({ role, code, reads, at }) {
      const refused = message('alert.role-suspended', { role, code, reads });
      await alerts.raise({ kind, subject: role, message: refused, at });
      gate.forget();
    },
    async clearAlert({ role, at }) {
      const wasOpen = await alerts.clear({ kind, subject: role, at });
      gate.forget();
      return wasOpen;
    },
    restoreReservations: (reservationIds) =>
      forEach(reservationIds, atOnce, (id) =>
        signalIfOpen(client, reservationWorkflowId(id), roleRestoredSignal),
      ),
  };
}

/** A car and a product that do not exist: their lists are short. */
const noCar = '-';
const noProduct = '-';

/**
 * Tries a role's key with a read that the role may do (GET /car, GET /product). Only a 2xx shows that it works: a
 * platform that fails or is silent has not checked the key.
 */
export function probeActivity(platform: PlatformClient): Pick<Activities, 'probeRole'> {
  const read: Record<Role, (options: CallOptions) => Promise<unknown>> = {
    supplier: (options) => platform.listCars({ carNumber: noCar }, options),
    channel: (options) => platform.listProducts({ productName: noProduct }, options),
  };
  return {
    probeRole: (role) =>
      read[role]({ as: role, ...readOptions() }).then(
        () => ({ kind: 'works' as const }),
        (error: unknown) => {
          if (error instanceof PlatformCallError) return stateOf(error);
          throw error;
        },
      ),
  };
}

function stateOf({ code }: PlatformCallError): KeyState {
  switch (code) {
    case 'ROLE_OFF':
      return { kind: 'off' };
    // a 2xx whose body does not fit: the key was accepted all the same
    case 'UNREADABLE':
      return { kind: 'works' };
    case 'UNAUTHORIZED':
    case 'FORBIDDEN':
      return { kind: 'refused', code };
    default:
      return { kind: 'unclear', code };
  }
}

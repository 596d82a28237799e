import type { Policy } from '../domain/reservation/index.js';

/** The platform knows a deployment by one key per role (G26). */
export type Role = Policy['roles'][number];

/** Dispatch and recall are the rental company's (specification, Reservation operations). */
export const commandRole: Role = 'supplier';
/** Booking is the demand channel's. */
export const bookingRole: Role = 'channel';

export const roleWorkflow = 'role';

/** One role, one workflow: however many reservations wait for its key. */
export function roleWorkflowId(role: Role): string {
  return `role-${role}`;
}

/** Start argument of the workflow of a suspended role; `carried` is set by continue-as-new only. */
export interface RoleStart {
  role: Role;
  /** How often the key is tried (L30). */
  probeMs: number;
  historyEventsPerRun: number;
  carried?: CarriedRole;
}

/** What a run passes to the next: plain JSON. */
interface CarriedRole {
  /** Reservations whose commands wait for the key. */
  waiting: number[];
  alerted: boolean;
  relapses: number;
}

/** Payload of the `suspended` signal: an attempt was refused for the role's key, or held back for it. */
export interface Suspension {
  /** Who waits for the key; null for a booking, which does not wait. */
  reservationId: number | null;
  /** `UNAUTHORIZED`, `FORBIDDEN`, or `ROLE_SUSPENDED`. */
  code: string;
  /** The attempt was made because the reservation was notified that the key works. */
  restored?: boolean;
}
export const suspendedSignal = 'suspended';

/** Signal to a reservation: the key of its commands' role works again. */
export const roleRestoredSignal = 'roleRestored';

/** How a role's key was found; `off`: the deployment has no key any more, so nothing needs to wait. */
export type KeyState = { kind: 'works' } | { kind: 'off' } | { kind: 'refused' | 'unclear'; code: string };

export interface RoleAlert {
  role: Role;
  /** The platform's answer. */
  code: string;
  /** The platform lets the key read, and refuses what it is to do. */
  reads: boolean;
  /** Instant. */
  at: number;
}

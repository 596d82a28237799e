import type { Role, RoleAlert } from '../../contract/role.js';
import type { HoldFacts } from '../../domain/hold/index.js';
import type { Destination } from '../schema.js';
import type { AlertKind } from './kinds.js';

// Texts of alerts that belong to no reservation. Each states what happened and what to do; none holds personal data.

const keyVariable: Readonly<Record<Role, string>> = {
  channel: 'PLATFORM_CHANNEL_API_KEY',
  supplier: 'PLATFORM_SUPPLIER_API_KEY',
};
const held: Readonly<Record<Role, string>> = {
  channel: 'no booking is sent',
  supplier: 'no dispatch or recall action is sent',
};

/** L30. */
export function roleSuspended({ role, code, reads }: Pick<RoleAlert, 'role' | 'code' | 'reads'>): string {
  const what = reads
    ? `actions of the deployment's ${role} key, although the key reads`
    : `the deployment's ${role} key`;
  return `The platform refuses ${what} (${code}, L30): ${held[role]} until it works. Check the key with the platform; where it changed, set ${keyVariable[role]} and restart. The key is retried automatically, and waiting requests continue then.`;
}

/** The answer to a booking that was held back. */
export const bookingHeldBack =
  'The platform does not accept the key of this deployment at the moment; operations know. Try again later.';

function minutesOf(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

export function intakeBacklog(afterMs: number): string {
  return `Stored callbacks wait for ${minutesOf(afterMs)} or longer to reach their reservations. Nothing is lost, and callbacks are still acknowledged, but the views are out of date. Check that Temporal answers and that a worker runs (/readyz, the worker's log).`;
}

export function intakeUnjudged(afterMs: number): string {
  return `Callbacks have no verdict: they were sent to their reservations ${minutesOf(afterMs)} ago or earlier. After 10 min each is sent again, then ever more rarely, so nothing is lost. Check that a worker runs and can write to the database; where Temporal was restored or failed over, this ends by itself. GET /api/inbox?state=sent lists them.`;
}

export function intakeSilent(afterMs: number): string {
  return `No callback came for ${minutesOf(afterMs)} or longer. Check with their sender (the platform, or the deployment that forwards them) that they are still sent to this address, and that they are not refused (handover_callbacks_total in /metrics).`;
}

export const intakeDeadLetters =
  'Callbacks cannot reach their reservations and are dead letters: GET /api/inbox?state=dead lists them with the reason. Fix the cause, then replay them.';

export function outboxDeadLetters(destination: Destination): string {
  const what = destination === 'alerts' ? 'Alerts' : 'Accepted callbacks';
  const address = destination === 'alerts' ? 'ALERT_URL' : 'FORWARD_URL';
  return `${what} were refused at ${address} for 10 min or longer and are now dead letters; later ones are sent. GET /api/outbox?state=dead lists them with the code of the refusal. Remove the cause at the receiver, then POST /api/outbox/resend.`;
}

export function forwardStuck(afterMs: number, retentionMs: number): string {
  return `Accepted callbacks wait for ${minutesOf(afterMs)} or longer to be accepted at FORWARD_URL: the supplier's deployment does not receive them. Nothing is lost yet; what waits for ${Math.round(retentionMs / 86_400_000)} days is dropped. Check that the other deployment runs, that its CALLBACK_SECRETS contain this one's FORWARD_SECRET, and that every worker here has FORWARD_URL; the worker's log has the last answer's code.`;
}

/** F12. */
export function holdStuck({
  holdId,
  carId,
  attention,
}: Pick<HoldFacts, 'holdId' | 'carId' | 'attention'>): string {
  return `A hold is blocked: ${holdId} of car ${carId} (${attention.join(', ')}). GET /api/holds/${holdId} shows what fails and what is in place. It is retried automatically; to retry at once while it is being undone, release it again. Or a manager accepts its state (POST /api/holds/${holdId}/resolve).`;
}

/** F16. */
export function holdWithoutWorkflow({ holdId, carId }: Pick<HoldFacts, 'holdId' | 'carId'>): string {
  return `A hold's workflow is gone: ${holdId} of car ${carId} (terminated, failed, or no longer known to Temporal). No worker continues the hold, and it blocks its period. GET /api/holds/${holdId} shows what is in place. Reset the workflow while Temporal knows it, or have a manager close the hold (POST /api/holds/${holdId}/resolve) and remove by hand what is left on the platform.`;
}

/** F48. */
export function undiscoveredReservations(count: number): string {
  const entries = count === 1 ? '1 entry' : `${count} entries`;
  return `Unknown reservations are in the platform's schedule (${entries}). Find each on the platform's web site and adopt it (GET /api/findings?kind=undiscovered, POST /api/findings/{id}/adopt). Where callbacks arrive, search for lost ones.`;
}

/** F51. */
export function reconciliationStuck(code: string): string {
  const what = code === 'NOT_OVER' ? 'was not completed in time' : `failed (${code})`;
  return `The reconciliation ${what}: unknown reservations and lost changes are not found meanwhile. Temporal shows why (workflow type reconciliation: its pending activities, or its failure); handover doctor reads GET /schedule and names what does not fit. The next one that works clears this.`;
}

/** F38. @param why the answer cannot be read; absent: there was none */
export function bookingUnknown(code: string, why?: string): string {
  const what = why === undefined ? `was lost (${code})` : `cannot be read (${why})`;
  return `A booking's outcome is unknown: its answer ${what}, and no callback shows it. The platform may have booked or not. It is not sent again. GET /api/bookings/{commandId} shows the request; check the platform's web site and resolve it as applied or rejected. A callback that comes in time resolves it automatically.`;
}

/** F33. */
export const bookingAmbiguous =
  "A booking's outcome is unknown: its answer was lost, and more than one reservation or booking matches the callbacks. GET /api/bookings/{commandId} lists the reservations; compare them on the platform and resolve the booking with the one that it became, or as rejected.";

/** Where the runbook is, for alerts that only an engineer can remove. */
const runbook = (kind: AlertKind) => `Runbook: docs/runbook.md#${kind}.`;

/** @param named ids of workflows, or their types; never personal data */
export function workflowStuck(named: string, count: string): string {
  const what = count === '1' ? 'A workflow is blocked' : `${count} workflows are blocked`;
  return `${what}: the tasks of ${named} failed twice or more. Temporal repeats them; nothing of them is lost, but they do nothing meanwhile. The worker's log and Temporal UI name the cause. Do not terminate or reset them. ${runbook('workflow-stuck')}`;
}

/** @param named as above */
export function nonDeterministic(named: string, count: string): string {
  const what = count === '1' ? 'A history does' : `${count} histories do`;
  return `${what} not replay on this release: ${named}. Their tasks fail until a release runs that decides as the one which wrote them. Return to the release before; it continues each where it is. ${runbook('non-determinism')}`;
}

/** @param share of the tasks of the last five minutes that waited longer than a second */
export function tasksLate(queue: string, share: number): string {
  return `Workflow tasks wait for a worker: ${Math.round(share * 100)} % of those of the queue ${queue} waited longer than a second in the last five minutes. Callbacks and actions take effect late. Give the workers CPU, or start another one. ${runbook('tasks-late')}`;
}

export function slotsExhausted(queue: string, kind: string): string {
  return `A worker has had no free slot for two minutes (${kind} of the queue ${queue}): further tasks wait. Remove what is slow (the platform, the database), or start another worker. ${runbook('slots-exhausted')}`;
}

export function personalDataOverdue(overdue: number): string {
  const what =
    overdue === 1 ? '1 reservation, booking or hold' : `${overdue} reservations, bookings or holds`;
  return `Personal data is overdue for erasure: ${what}, by more than a day. It belongs to something that is still open, or the erasure fails. Close or resolve what is open, or remove the cause that the log of the worker names. ${runbook('personal-data-overdue')}`;
}

import type { Role, RoleAlert } from '../../../contract/role.js';
import type { HoldFacts } from '../../../domain/hold/index.js';
import type { Catalogue } from '../../../domain/shared/message.js';
import type { Destination } from '../../schema.js';
import type { AlertKind } from '../kinds.js';
import { keyVariable, runbook } from './names.js';

/** Workflows whose tasks fail: the first of them by id, or by type where that alone is known. */
export interface Failing {
  first: readonly string[];
  areTypes: boolean;
  /** How many others there are. */
  more: number;
  /** There may be more than were counted. */
  isAtLeast: boolean;
}

/** Texts of alerts that belong to no reservation. Each states what happened and what to do; none holds personal data (L60). */
export const alertEn = {
  /** L30. */
  'alert.role-suspended': ({ role, code, reads }: Pick<RoleAlert, 'role' | 'code' | 'reads'>) => {
    const what = reads
      ? `actions of the deployment's ${role} key, although the key reads`
      : `the deployment's ${role} key`;
    return `The platform refuses ${what} (${code}, L30): ${held[role]} until it works. Check the key with the platform; where it changed, set ${keyVariable[role]} and restart. The key is retried automatically, and waiting requests continue then.`;
  },
  'alert.intake-silent': ({ afterMs }: { afterMs: number }) =>
    `No callback came for ${spanOf(afterMs)} or longer. Check with their sender (the platform, or the deployment that forwards them) that they are still sent to this address, and that they are not refused (handover_callbacks_total in /metrics).`,
  'alert.intake-backlog': ({ afterMs }: { afterMs: number }) =>
    `Stored callbacks wait for ${spanOf(afterMs)} or longer to reach their reservations. Nothing is lost, and callbacks are still acknowledged, but the views are out of date. Check that Temporal answers and that a worker runs (/readyz, the worker's log). Where both do, the workers apply less than arrives: give them CPU, or start another one.`,
  'alert.intake-unjudged': ({ afterMs }: { afterMs: number }) =>
    `Callbacks have no verdict: they were sent to their reservations ${spanOf(afterMs)} ago or earlier. After 10 min each is sent again, then ever more rarely, so nothing is lost. Check that a worker runs and can write to the database; where Temporal was restored or failed over, this ends by itself. GET /api/inbox?state=sent lists them.`,
  'alert.intake-dead-letters': () =>
    'Callbacks cannot reach their reservations and are dead letters: GET /api/inbox?state=dead lists them with the reason. Fix the cause, then replay them.',
  'alert.outbox-dead-letters': ({ destination }: { destination: Destination }) => {
    const what = destination === 'alerts' ? 'Alerts' : 'Accepted callbacks';
    const address = destination === 'alerts' ? 'ALERT_URL' : 'FORWARD_URL';
    return `${what} were refused at ${address} for 10 min or longer and are now dead letters; later ones are sent. GET /api/outbox?state=dead lists them with the code of the refusal. Remove the cause at the receiver, then POST /api/outbox/resend.`;
  },
  'alert.forward-stuck': ({ afterMs, retentionMs }: { afterMs: number; retentionMs: number }) =>
    `Accepted callbacks wait for ${spanOf(afterMs)} or longer to be accepted at FORWARD_URL: the supplier's deployment does not receive them. Nothing is lost yet; what waits for ${Math.round(retentionMs / 86_400_000)} days is dropped. Check that the other deployment runs, that its CALLBACK_SECRETS contain this one's FORWARD_SECRET, and that every worker here has FORWARD_URL; the worker's log has the last answer's code.`,
  /** F38. `why`: the answer cannot be read; null: there was none. */
  'alert.booking-unknown': ({ code, why }: { code: string; why: string | null }) => {
    const what = why === null ? `was lost (${code})` : `cannot be read (${why})`;
    return `A booking's outcome is unknown: its answer ${what}, and no callback shows it. The platform may have booked or not. It is not sent again. GET /api/bookings/{commandId} shows the request; check the platform's web site and resolve it as applied or rejected. A callback that comes in time resolves it automatically.`;
  },
  /** F33. */
  'alert.booking-ambiguous': () =>
    "A booking's outcome is unknown: its answer was lost, and more than one reservation or booking matches the callbacks. GET /api/bookings/{commandId} lists the reservations; compare them on the platform and resolve the booking with the one that it became, or as rejected.",
  /** F12. */
  'alert.hold-stuck': ({ holdId, carId, attention }: Pick<HoldFacts, 'holdId' | 'carId' | 'attention'>) =>
    `A hold is blocked: ${holdId} of car ${carId} (${attention.join(', ')}). GET /api/holds/${holdId} shows what fails and what is in place. It is retried automatically; to retry at once while it is being undone, release it again. Or a manager accepts its state (POST /api/holds/${holdId}/resolve).`,
  /** F16. */
  'alert.hold-without-workflow': ({ holdId, carId }: Pick<HoldFacts, 'holdId' | 'carId'>) =>
    `A hold's workflow is gone: ${holdId} of car ${carId} (terminated, failed, or no longer known to Temporal). No worker continues the hold, and it blocks its period. GET /api/holds/${holdId} shows what is in place. Reset the workflow while Temporal knows it, or have a manager close the hold (POST /api/holds/${holdId}/resolve) and remove by hand what is left on the platform.`,
  /** F48. */
  'alert.undiscovered-reservations': ({ count }: { count: number }) =>
    `Unknown reservations are in the platform's schedule (${count === 1 ? '1 entry' : `${count} entries`}). Find each on the platform's web site and adopt it (GET /api/findings?kind=undiscovered, POST /api/findings/{id}/adopt). Where callbacks arrive, search for lost ones.`,
  /** F51. */
  'alert.reconciliation-stuck': ({ code }: { code: string }) => {
    const what = code === 'NOT_OVER' ? 'was not completed in time' : `failed (${code})`;
    return `The reconciliation ${what}: unknown reservations and lost changes are not found meanwhile. Temporal shows why (workflow type reconciliation: its pending activities, or its failure); handover doctor reads GET /schedule and names what does not fit. The next one that works clears this.`;
  },
  'alert.workflow-stuck': (failing: Failing) => {
    const what = isOne(failing) ? 'A workflow is blocked' : `${countOf(failing)} workflows are blocked`;
    return `${what}: the tasks of ${named(failing)} failed twice or more. Temporal repeats them; nothing of them is lost, but they do nothing meanwhile. The worker's log and Temporal UI name the cause. Do not terminate or reset them. Runbook: ${runbook('workflow-stuck')}.`;
  },
  'alert.non-determinism': (failing: Failing) => {
    const what = isOne(failing) ? 'A history does' : `${countOf(failing)} histories do`;
    return `${what} not replay on this release: ${named(failing)}. Their tasks fail until a release runs that decides as the one which wrote them. Return to the release before; it continues each where it is. Runbook: ${runbook('non-determinism')}.`;
  },
  /** `percent` of the tasks of the last five minutes waited longer than a second. */
  'alert.tasks-late': ({ queue, percent }: { queue: string; percent: number }) =>
    `Workflow tasks wait for a worker: ${percent} % of those of the queue ${queue} waited longer than a second in the last five minutes. Callbacks and actions take effect late. Give the workers CPU, or start another one. Runbook: ${runbook('tasks-late')}.`,
  /** The text of `tasks-late` where the tasks are activities. */
  'alert.activities-late': ({ queue, percent }: { queue: string; percent: number }) =>
    `Requests and database work wait for a worker: ${percent} % of the activities of the queue ${queue} waited longer than a second in the last five minutes. Actions and bookings are answered late, or not sent in time. Remove what is slow (the platform, the database), raise PLATFORM_RATE if the platform allows it, or start another worker. Runbook: ${runbook('tasks-late')}.`,
  'alert.slots-exhausted': ({ queue, kind }: { queue: string; kind: string }) =>
    `A worker has had no free slot for two minutes (${kind} of the queue ${queue}): further tasks wait. Remove what is slow (the platform, the database), or start another worker. Runbook: ${runbook('slots-exhausted')}.`,
  'alert.personal-data-overdue': ({ count }: { count: number }) => {
    const what = count === 1 ? '1 reservation, booking or hold' : `${count} reservations, bookings or holds`;
    return `Personal data is overdue for erasure: ${what}, by more than a day. It belongs to something that is still open, or the erasure fails. Close or resolve what is open, or remove the cause that the log of the worker names. Runbook: ${runbook('personal-data-overdue')}.`;
  },
} as const satisfies Catalogue & Record<`alert.${AlertKind}`, unknown>;

const held: Readonly<Record<Role, string>> = {
  channel: 'no booking is sent',
  supplier: 'no dispatch or recall action is sent',
};

function spanOf(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

const isOne = ({ first, more, isAtLeast }: Failing) => first.length + more === 1 && !isAtLeast;
const countOf = ({ first, more, isAtLeast }: Failing) =>
  `${first.length + more}${isAtLeast ? ' or more' : ''}`;

function named({ first, areTypes, more, isAtLeast }: Failing): string {
  const names = first.map((name) => (areTypes ? `workflows of type ${name}` : name)).join(', ');
  return more === 0 ? names : `${names} and ${isAtLeast ? 'at least ' : ''}${more} more`;
}

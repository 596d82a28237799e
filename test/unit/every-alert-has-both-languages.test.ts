import { describe, expect, it } from 'vitest';
import type { Message } from '../../src/domain/shared/message.js';
import { alertKinds } from '../../src/store/alerts/kinds.js';
import { alertEn, type Failing } from '../../src/store/alerts/messages/en.js';
import { inEnglish, message } from '../../src/store/alerts/messages/message.js';
import { expectBothLanguages } from '../support/both-languages.js';
import { inKorean } from '../support/sentences.js';

const [minute, hour] = [60_000, 3_600_000];
const hold = { holdId: 'h-9', carId: 12 };
const three = ['reservation-1', 'reservation-2', 'reservation-3'];
const failing = (first: string[], more: Partial<Failing> = {}): Failing => {
  return { first, areTypes: false, more: 0, isAtLeast: false, ...more };
};

/** Each alert with its English text, which receivers of posts and the release before read. */
const alerts: [Message, string][] = [
  [
    message('alert.role-suspended', { role: 'channel', code: 'FORBIDDEN', reads: false }),
    "The platform refuses the deployment's channel key (FORBIDDEN, L30): no booking is sent until it works. Check the key with the platform; where it changed, set PLATFORM_CHANNEL_API_KEY and restart. The key is retried automatically, and waiting requests continue then.",
  ],
  [
    message('alert.role-suspended', { role: 'supplier', code: 'UNAUTHORIZED', reads: true }),
    "The platform refuses actions of the deployment's supplier key, although the key reads (UNAUTHORIZED, L30): no dispatch or recall action is sent until it works. Check the key with the platform; where it changed, set PLATFORM_SUPPLIER_API_KEY and restart. The key is retried automatically, and waiting requests continue then.",
  ],
  [
    message('alert.intake-silent', { afterMs: 6 * hour }),
    'No callback came for 6 h or longer. Check with their sender (the platform, or the deployment that forwards them) that they are still sent to this address, and that they are not refused (handover_callbacks_total in /metrics).',
  ],
  [
    message('alert.intake-backlog', { afterMs: 5 * minute }),
    "Stored callbacks wait for 5 min or longer to reach their reservations. Nothing is lost, and callbacks are still acknowledged, but the views are out of date. Check that Temporal answers and that a worker runs (/readyz, the worker's log). Where both do, the workers apply less than arrives: give them CPU, or start another one.",
  ],
  [
    message('alert.intake-unjudged', { afterMs: 119 * minute }),
    'Callbacks have no verdict: they were sent to their reservations 119 min ago or earlier. After 10 min each is sent again, then ever more rarely, so nothing is lost. Check that a worker runs and can write to the database; where Temporal was restored or failed over, this ends by itself. GET /api/inbox?state=sent lists them.',
  ],
  [
    message('alert.intake-dead-letters', {}),
    'Callbacks cannot reach their reservations and are dead letters: GET /api/inbox?state=dead lists them with the reason. Fix the cause, then replay them.',
  ],
  [
    message('alert.outbox-dead-letters', { destination: 'alerts' }),
    'Alerts were refused at ALERT_URL for 10 min or longer and are now dead letters; later ones are sent. GET /api/outbox?state=dead lists them with the code of the refusal. Remove the cause at the receiver, then POST /api/outbox/resend.',
  ],
  [
    message('alert.outbox-dead-letters', { destination: 'forward' }),
    'Accepted callbacks were refused at FORWARD_URL for 10 min or longer and are now dead letters; later ones are sent. GET /api/outbox?state=dead lists them with the code of the refusal. Remove the cause at the receiver, then POST /api/outbox/resend.',
  ],
  [
    message('alert.forward-stuck', { afterMs: 5 * minute, retentionMs: 720 * hour }),
    "Accepted callbacks wait for 5 min or longer to be accepted at FORWARD_URL: the supplier's deployment does not receive them. Nothing is lost yet; what waits for 30 days is dropped. Check that the other deployment runs, that its CALLBACK_SECRETS contain this one's FORWARD_SECRET, and that every worker here has FORWARD_URL; the worker's log has the last answer's code.",
  ],
  [
    message('alert.booking-unknown', { code: 'TIMEOUT', why: null }),
    "A booking's outcome is unknown: its answer was lost (TIMEOUT), and no callback shows it. The platform may have booked or not. It is not sent again. GET /api/bookings/{commandId} shows the request; check the platform's web site and resolve it as applied or rejected. A callback that comes in time resolves it automatically.",
  ],
  [
    message('alert.booking-unknown', { code: 'ANSWER_UNREADABLE', why: 'reservationId: expected number' }),
    "A booking's outcome is unknown: its answer cannot be read (reservationId: expected number), and no callback shows it. The platform may have booked or not. It is not sent again. GET /api/bookings/{commandId} shows the request; check the platform's web site and resolve it as applied or rejected. A callback that comes in time resolves it automatically.",
  ],
  [
    message('alert.booking-ambiguous', {}),
    "A booking's outcome is unknown: its answer was lost, and more than one reservation or booking matches the callbacks. GET /api/bookings/{commandId} lists the reservations; compare them on the platform and resolve the booking with the one that it became, or as rejected.",
  ],
  [
    message('alert.hold-stuck', { ...hold, attention: ['entry', 'memo'] }),
    'A hold is blocked: h-9 of car 12 (entry, memo). GET /api/holds/h-9 shows what fails and what is in place. It is retried automatically; to retry at once while it is being undone, release it again. Or a manager accepts its state (POST /api/holds/h-9/resolve).',
  ],
  [
    message('alert.hold-without-workflow', hold),
    "A hold's workflow is gone: h-9 of car 12 (terminated, failed, or no longer known to Temporal). No worker continues the hold, and it blocks its period. GET /api/holds/h-9 shows what is in place. Reset the workflow while Temporal knows it, or have a manager close the hold (POST /api/holds/h-9/resolve) and remove by hand what is left on the platform.",
  ],
  [
    message('alert.undiscovered-reservations', { count: 1 }),
    "Unknown reservations are in the platform's schedule (1 entry). Find each on the platform's web site and adopt it (GET /api/findings?kind=undiscovered, POST /api/findings/{id}/adopt). Where callbacks arrive, search for lost ones.",
  ],
  [
    message('alert.undiscovered-reservations', { count: 3 }),
    "Unknown reservations are in the platform's schedule (3 entries). Find each on the platform's web site and adopt it (GET /api/findings?kind=undiscovered, POST /api/findings/{id}/adopt). Where callbacks arrive, search for lost ones.",
  ],
  [
    message('alert.reconciliation-stuck', { code: 'NOT_OVER' }),
    'The reconciliation was not completed in time: unknown reservations and lost changes are not found meanwhile. Temporal shows why (workflow type reconciliation: its pending activities, or its failure); handover doctor reads GET /schedule and names what does not fit. The next one that works clears this.',
  ],
  [
    message('alert.reconciliation-stuck', { code: 'UNREADABLE' }),
    'The reconciliation failed (UNREADABLE): unknown reservations and lost changes are not found meanwhile. Temporal shows why (workflow type reconciliation: its pending activities, or its failure); handover doctor reads GET /schedule and names what does not fit. The next one that works clears this.',
  ],
  [
    message('alert.workflow-stuck', failing(['reservation-1'])),
    "A workflow is blocked: the tasks of reservation-1 failed twice or more. Temporal repeats them; nothing of them is lost, but they do nothing meanwhile. The worker's log and Temporal UI name the cause. Do not terminate or reset them. Runbook: docs/runbook.md#workflow-stuck.",
  ],
  [
    message('alert.workflow-stuck', failing(['booking', 'reservation'], { areTypes: true })),
    "2 workflows are blocked: the tasks of workflows of type booking, workflows of type reservation failed twice or more. Temporal repeats them; nothing of them is lost, but they do nothing meanwhile. The worker's log and Temporal UI name the cause. Do not terminate or reset them. Runbook: docs/runbook.md#workflow-stuck.",
  ],
  [
    message('alert.workflow-stuck', failing(three, { more: 1 })),
    "4 workflows are blocked: the tasks of reservation-1, reservation-2, reservation-3 and 1 more failed twice or more. Temporal repeats them; nothing of them is lost, but they do nothing meanwhile. The worker's log and Temporal UI name the cause. Do not terminate or reset them. Runbook: docs/runbook.md#workflow-stuck.",
  ],
  [
    message('alert.non-determinism', failing(['reservation-1'])),
    'A history does not replay on this release: reservation-1. Their tasks fail until a release runs that decides as the one which wrote them. Return to the release before; it continues each where it is. Runbook: docs/runbook.md#non-determinism.',
  ],
  [
    message('alert.non-determinism', failing(three, { more: 197, isAtLeast: true })),
    '200 or more histories do not replay on this release: reservation-1, reservation-2, reservation-3 and at least 197 more. Their tasks fail until a release runs that decides as the one which wrote them. Return to the release before; it continues each where it is. Runbook: docs/runbook.md#non-determinism.',
  ],
  [
    message('alert.tasks-late', { queue: 'handover', percent: 50 }),
    'Workflow tasks wait for a worker: 50 % of those of the queue handover waited longer than a second in the last five minutes. Callbacks and actions take effect late. Give the workers CPU, or start another one. Runbook: docs/runbook.md#tasks-late.',
  ],
  [
    message('alert.activities-late', { queue: 'handover-bookings', percent: 50 }),
    'Requests and database work wait for a worker: 50 % of the activities of the queue handover-bookings waited longer than a second in the last five minutes. Actions and bookings are answered late, or not sent in time. Remove what is slow (the platform, the database), raise PLATFORM_RATE if the platform allows it, or start another worker. Runbook: docs/runbook.md#tasks-late.',
  ],
  [
    message('alert.slots-exhausted', { queue: 'handover', kind: 'ActivityWorker' }),
    'A worker has had no free slot for two minutes (ActivityWorker of the queue handover): further tasks wait. Remove what is slow (the platform, the database), or start another worker. Runbook: docs/runbook.md#slots-exhausted.',
  ],
  [
    message('alert.personal-data-overdue', { count: 1 }),
    'Personal data is overdue for erasure: 1 reservation, booking or hold, by more than a day. It belongs to something that is still open, or the erasure fails. Close or resolve what is open, or remove the cause that the log of the worker names. Runbook: docs/runbook.md#personal-data-overdue.',
  ],
  [
    message('alert.personal-data-overdue', { count: 2 }),
    'Personal data is overdue for erasure: 2 reservations, bookings or holds, by more than a day. It belongs to something that is still open, or the erasure fails. Close or resolve what is open, or remove the cause that the log of the worker names. Runbook: docs/runbook.md#personal-data-overdue.',
  ],
];

describe('the text of an alert', () => {
  it('is there for each kind, and has an example for each code', () => {
    const codes = new Set(alerts.map(([{ code }]) => code));
    expect(codes).toEqual(new Set(Object.keys(alertEn)));
    for (const kind of alertKinds) expect(codes).toContain(`alert.${kind}`);
  });

  it.each(alerts)(
    'keeps its English words, and has the same names and figures in Korean: $code',
    (said, english) => {
      expect(inEnglish(said)).toBe(english);
      expectBothLanguages(said);
      const names =
        english.match(/\/(?:api|metrics|readyz|schedule)[\w/?=&{}-]*|docs\/[\w.#-]+|handover doctor/g) ?? [];
      for (const name of names) expect(inKorean(said)).toContain(name);
    },
  );
});

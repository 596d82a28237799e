import { activityInfo, cancellationSignal } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import type { AttemptId } from '../../src/contract/attempt.js';
import type { Role } from '../../src/contract/role.js';
import {
  attemptExpiredCode,
  attemptNotRecordedCode,
  type HeldBack,
  type Outcome,
  runLost,
  type Unknown,
} from '../../src/domain/shared/outcome.js';
import type { CallOptions } from '../../src/platform/client/index.js';
import type { RoleGate } from '../../src/store/alerts/role-gate.js';
import type { Attempts } from '../../src/store/attempts.js';
import { callOnce } from './attempt.js';
import { type ActivityTime, activityTime, confirmedTime } from './time.js';

export interface SendDeps {
  gate: Pick<RoleGate, 'isSuspended'>;
  attempts: Attempts;
  client: Pick<Client, 'workflow' | 'withDeadline'>;
}

export interface Sending {
  role: Role;
  /** Absent: the workflow began under a release that sent none. */
  id: AttemptId | undefined;
  /** Given where the activity has already used some of its time. */
  time?: ActivityTime;
  /** Milliseconds after the activity was scheduled within which the request has to leave. */
  leaveWithinMs?: number | undefined;
}

/** A request with less time than this for its answer would most likely end as unknown. */
const leastMs = 3_000;

/**
 * Sends one request that changes something on the platform, and returns its outcome (L30). Nothing is sent while the
 * role is suspended, after the server has given the activity up, or where this attempt was recorded before: then another
 * run may have sent it, and the command waits for evidence.
 */
export async function sendOnce<T>(
  { gate, attempts, client }: SendDeps,
  { role, id, time: given, leaveWithinMs }: Sending,
  call: (options: CallOptions) => Promise<T>,
): Promise<Outcome<{ value: T }>> {
  const time = await confirmedTime(client, given ?? activityTime());
  if (time === null) return expiredUnrecorded;
  const { until, scheduledAt } = time;
  const leaveBy = Math.min(
    until - leastMs,
    leaveWithinMs === undefined ? until : scheduledAt + leaveWithinMs,
  );
  return callOnce<{ value: T }>(gate, role, async () => {
    if (Date.now() > leaveBy) return expiredUnrecorded;
    const obstacle = id === undefined ? null : await obstacleTo(attempts, id);
    if (obstacle !== null) return obstacle;
    // recording it may have taken long
    if (Date.now() > leaveBy) return expired;
    return { outcome: 'applied', value: await call({ signal: cancellationSignal(), until, leaveBy }) };
  });
}

const expired: Readonly<HeldBack> = { outcome: 'held-back', code: attemptExpiredCode };
const expiredUnrecorded: Readonly<HeldBack> = { ...expired, keepsId: true };
/** The database may have recorded it after all. Then the next attempt, with the same id, is of unknown outcome, and not sent. */
const notRecorded: Readonly<HeldBack> = { outcome: 'held-back', code: attemptNotRecordedCode, keepsId: true };

/**
 * While the database is down, a run that was not reset sends nevertheless: only a reset, or a failover of the namespace,
 * leads to a second run. A reset run waits for the database.
 */
async function obstacleTo(attempts: Attempts, id: AttemptId): Promise<HeldBack | Unknown | null> {
  const { runId } = activityInfo().workflowExecution ?? {};
  switch (await attempts.record(id, runId ?? '')) {
    case 'recorded':
      return null;
    case 'known':
      return runLost;
    case 'unavailable':
      return id.originalRunId === runId ? null : notRecorded;
  }
}

import type { z } from 'zod';
import type { alertList } from '../../src/api/alerts/schemas.js';
import type { ProblemCode } from '../../src/api/http/problem-codes.js';
import type { ProblemMembers } from '../../src/api/http/problem-members.js';
import type { timelineList } from '../../src/api/reservations/list-schemas.js';
import type { command, reservation } from '../../src/api/reservations/schemas.js';
import type { me, staffList } from '../../src/api/session/schemas.js';
import type { Action } from '../../src/domain/reservation/actions.js';

/** What the API answers, by its own schemas; the console declares no form of its own for them. */
export type TimelineEntry = z.output<typeof timelineList>['items'][number];
export type Timeline = z.output<typeof timelineList>;
export type Alert = z.output<typeof alertList>['items'][number];
export type Command = z.output<typeof command>;

/** A problem document (RFC 9457) of the API. */
export type Problem = ProblemMembers & { code: ProblemCode; title: string; status: number; detail: string };

export type { Action };

export type Me = z.output<typeof me>;
export type StaffMember = z.output<typeof staffList>['items'][number];
export type ActionOption = z.output<typeof reservation>['actions'][number];

export type Reservation = Omit<z.output<typeof reservation>, 'attention'> & {
  attention: { kind: string; since: string; message: string; owner?: string | null }[];
};

export type LaneName = 'attention' | 'dueOut' | 'out' | 'dueBack' | 'toRecall';

export interface BoardRow {
  reservationId: number;
  sequence: number;
  status: { code: number | null; name: string };
  grade: string | null;
  since: string | null;
  carId: number | null;
  carNumber: string | null;
  companyId: number | null;
  period: { start: string; end: string } | null;
  next: { action: Action; target: number | null } | null;
  /** The moment that the lane is sorted by: a start, an end, a deadline. */
  relevantAt: string | null;
  /** Above 0: so many milliseconds after `relevantAt`. */
  lateMs: number;
  owner: string | null;
  staff: string | null;
  atRisk: boolean;
  unknownCommands: number;
  waitingCommands: number;
  attention: { kind: string; since: string; owner: string | null }[];
}

export interface Board {
  asOf: string;
  lanes: Record<LaneName, { count: number; items: BoardRow[] }>;
  alerts: Alert[];
  /** Codes of failing readiness probes. */
  degraded: string[];
}

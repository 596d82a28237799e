import type { z } from 'zod';
import type { alertList } from '../../src/api/alerts/schemas.js';
import type { board } from '../../src/api/board/schemas.js';
import type { ProblemCode } from '../../src/api/http/problem-codes.js';
import type { ProblemMembers } from '../../src/api/http/problem-members.js';
import type { reservationList, timelineList } from '../../src/api/reservations/list-schemas.js';
import type { command, reservation } from '../../src/api/reservations/schemas.js';
import type { loginMethods, me, staffList } from '../../src/api/session/schemas.js';
import type { Action } from '../../src/domain/reservation/actions.js';

/** What the API answers, by its own schemas; the console declares no form of its own for them. */
export type TimelineEntry = z.output<typeof timelineList>['items'][number];
export type ReservationList = z.output<typeof reservationList>;
export type Timeline = z.output<typeof timelineList>;
export type Alert = z.output<typeof alertList>['items'][number];
export type Command = z.output<typeof command>;

/** A problem document (RFC 9457) of the API. */
export type Problem = ProblemMembers & { code: ProblemCode; title: string; status: number; detail: string };

export type { Action };

export type Me = z.output<typeof me>;
export type LoginMethods = z.output<typeof loginMethods>;
export type StaffMember = z.output<typeof staffList>['items'][number];
export type ActionOption = z.output<typeof reservation>['actions'][number];

export type Reservation = Omit<z.output<typeof reservation>, 'attention'> & {
  attention: { kind: string; since: string; message: string; owner?: string | null }[];
};

export type Board = z.output<typeof board>;
export type LaneName = keyof Board['lanes'];
export type BoardRow = Board['lanes'][LaneName]['items'][number];

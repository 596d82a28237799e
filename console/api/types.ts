import type { z } from 'zod';
import type { activityList } from '../../src/api/activity/schemas.js';
import type { alertList, alertQuery } from '../../src/api/alerts/schemas.js';
import type { auditList } from '../../src/api/audit/schemas.js';
import type { board } from '../../src/api/board/schemas.js';
import type { bookingList, bookingShown } from '../../src/api/bookings/schemas.js';
import type { intakeState } from '../../src/api/callbacks/intake-schemas.js';
import type { inboxEvent, inboxList, replayed, replayPreviews } from '../../src/api/callbacks/schemas.js';
import type { carDetail, carList, carWrite } from '../../src/api/cars/schemas.js';
import type { finding } from '../../src/api/findings/schemas.js';
import type { holdShown } from '../../src/api/holds/schemas.js';
import type { listOf } from '../../src/api/http/list-route.js';
import type { ProblemCode } from '../../src/api/http/problem-codes.js';
import type { ProblemMembers } from '../../src/api/http/problem-members.js';
import type { outboxList } from '../../src/api/outbox/schemas.js';
import type { productDetail, productList } from '../../src/api/products/schemas.js';
import type { reservationList, timelineList } from '../../src/api/reservations/list-schemas.js';
import type { command, reservation } from '../../src/api/reservations/schemas.js';
import type { scheduleList } from '../../src/api/schedule/schemas.js';
import type { loginMethods, me, staffList } from '../../src/api/session/schemas.js';
import type { shift } from '../../src/api/shifts/schemas.js';
import type { Action } from '../../src/domain/reservation/actions.js';

/** What the API answers, by its own schemas; the console declares no form of its own for them. */
export type TimelineEntry = z.output<typeof timelineList>['items'][number];
export type ReservationList = z.output<typeof reservationList>;
export type Timeline = z.output<typeof timelineList>;
export type Alert = z.output<typeof alertList>['items'][number];
/** Every kind of alert that the API can filter by. */
export type AlertKind = NonNullable<z.output<typeof alertQuery>['kind']>;
export type Command = z.output<typeof command>;

/** A problem document (RFC 9457) of the API. */
export type Problem = ProblemMembers & { code: ProblemCode; title: string; status: number; detail: string };

export type { Action };

export type CarPage = z.output<typeof carList>;
export type Car = CarPage['items'][number];
export type CarDetail = z.output<typeof carDetail>;
export type CarWrite = z.output<typeof carWrite>;
export type CarSchedule = z.output<typeof scheduleList>['items'][number];
export type ScheduleBar = CarSchedule['bars'][number];
export type Hold = z.output<typeof holdShown>;
export type ProductPage = z.output<typeof productList>;
export type Product = ProductPage['items'][number];
export type ProductDetail = z.output<typeof productDetail>;

export type ActivityEntry = z.output<typeof activityList>['items'][number];
export type AuditEntry = z.output<typeof auditList>['items'][number];
export type Shift = z.output<typeof shift>;

/** One page of a list. */
export type Page<Item> = Omit<z.output<ReturnType<typeof listOf>>, 'items'> & { items: Item[] };
export type Intake = z.output<typeof intakeState>;
export type Callback = z.output<typeof inboxList>['items'][number];
export type CallbackDetail = z.output<typeof inboxEvent>;
export type Replayed = z.output<typeof replayed>;
export type ReplayPreviews = z.output<typeof replayPreviews>;
export type Finding = z.output<typeof finding>;
export type Bookings = z.output<typeof bookingList>;
export type Booking = z.output<typeof bookingShown>;
export type Post = z.output<typeof outboxList>['items'][number];

export type Me = z.output<typeof me>;
export type LoginMethods = z.output<typeof loginMethods>;
export type StaffMember = z.output<typeof staffList>['items'][number];
export type ActionOption = z.output<typeof reservation>['actions'][number];

export type Reservation = z.output<typeof reservation>;

export type Board = z.output<typeof board>;
export type LaneName = keyof Board['lanes'];
export type BoardRow = Board['lanes'][LaneName]['items'][number];

import { type Action, actions, methodOf, pathOf } from '../../src/domain/reservation/actions.js';
import type {
  ActivityEntry,
  Alert,
  AuditEntry,
  Board,
  Booking,
  Bookings,
  Callback,
  CallbackDetail,
  CarDetail,
  CarPage,
  CarSchedule,
  CarWrite,
  Command,
  Finding,
  Hold,
  Intake,
  LoginMethods,
  Me,
  Page,
  Post,
  ProductDetail,
  ProductPage,
  Replayed,
  ReplayPreviews,
  Reservation,
  ReservationList,
  Shift,
  StaffMember,
  Timeline,
} from './types.js';

/** One operation of the API and what it answers; a test finds each in the API document. */
export interface Endpoint<Answer> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** As the API document writes it: `/api/reservations/{id}`. */
  path: string;
  /** Never set: it carries the type of the answer. */
  answer?: Answer;
}

export interface Request {
  params?: Record<string, string | number>;
  /** A list is repeated for each. */
  query?: Record<string, string | number | readonly number[] | undefined>;
  body?: unknown;
  /** The Idempotency-Key of a write. */
  key?: string;
}

/** What an answer of this API is recognised by: one of its members. */
export interface AnswerForm {
  member: string;
  /** The parameter of the path that it repeats, or the request's `key`; absent: it has any value. */
  repeats?: string;
}

/** A write, applied (200, 201) or accepted while its outcome is not known (202). */
export interface WriteEndpoint<Applied, Open = Applied> extends Endpoint<Applied | Open> {
  forms: { applied: AnswerForm; open: AnswerForm };
  /** Never set: they carry the types of the answers. */
  applied?: Applied;
  open?: Open;
}

const at = <Answer>(method: Endpoint<Answer>['method'], path: string): Endpoint<Answer> => ({ method, path });

const write = <Applied, Open = Applied>(
  method: Endpoint<unknown>['method'],
  path: string,
  applied: AnswerForm,
  open = applied,
): WriteEndpoint<Applied, Open> => ({ method, path, forms: { applied, open } });

const ofReservation = { member: 'reservationId', repeats: 'id' };
const ofCommand = { member: 'commandId', repeats: 'key' };
const ofHold = { member: 'holdId', repeats: 'id' };

const actionEndpoints = Object.fromEntries(
  actions.map((action) => [
    action,
    write(methodOf(action), `/api/reservations/{id}/${pathOf(action)}`, ofReservation, ofCommand),
  ]),
) as Record<Action, WriteEndpoint<Reservation, Command>>;

/** Every operation that the console uses. */
export const endpoints = {
  loginMethods: at<LoginMethods>('GET', '/api/session'),
  login: at<Me>('POST', '/api/session'),
  /** Leads to the identity provider. */
  loginByProvider: at<never>('GET', '/api/session/oidc'),
  logout: at<undefined>('DELETE', '/api/session'),
  me: at<Me>('GET', '/api/me'),
  staff: at<{ items: StaffMember[] }>('GET', '/api/staff'),
  board: at<Board>('GET', '/api/board'),
  changes: at<never>('GET', '/api/changes'),
  reservations: at<ReservationList>('GET', '/api/reservations'),
  /** By the name of a person. */
  searchReservations: at<ReservationList>('POST', '/api/reservations/search'),
  reservation: at<Reservation>('GET', '/api/reservations/{id}'),
  photo: at<never>('GET', '/api/reservations/{id}/photos/{hash}'),
  timeline: at<Timeline>('GET', '/api/reservations/{id}/timeline'),
  resolveAttention: write<Reservation>(
    'POST',
    '/api/reservations/{id}/attention/{kind}/resolve',
    ofReservation,
  ),
  claim: write<unknown>('PUT', '/api/reservations/{id}/attention/{kind}/claim', ofReservation),
  release: write<unknown>('DELETE', '/api/reservations/{id}/attention/{kind}/claim', ofReservation),
  resolveCommand: write<Reservation>(
    'POST',
    '/api/reservations/{id}/commands/{commandId}/resolve',
    ofReservation,
  ),
  assertFacts: write<Reservation>('PUT', '/api/reservations/{id}', ofReservation),
  makeHold: write<unknown>('POST', '/api/holds', { member: 'holdId' }),
  intake: at<Intake>('GET', '/api/intake'),
  callbacks: at<Page<Callback>>('GET', '/api/inbox'),
  callback: at<CallbackDetail>('GET', '/api/inbox/{id}'),
  replay: write<Replayed>('POST', '/api/inbox/{id}/replay', { member: 'events' }),
  /** The same with `dryRun`: changes nothing. */
  previewReplay: at<ReplayPreviews>('POST', '/api/inbox/{id}/replay'),
  findings: at<Page<Finding>>('GET', '/api/findings'),
  adoptFinding: write<Finding>('POST', '/api/findings/{id}/adopt', { member: 'id', repeats: 'id' }),
  bookings: at<Bookings>('GET', '/api/bookings'),
  booking: at<Booking>('GET', '/api/bookings/{commandId}'),
  resolveBooking: write<Booking>('POST', '/api/bookings/{commandId}/resolve', {
    member: 'commandId',
    repeats: 'commandId',
  }),
  posts: at<Page<Post>>('GET', '/api/outbox'),
  resendPost: write<unknown>('POST', '/api/outbox/{id}/resend', { member: 'posts' }),
  cars: at<CarPage>('GET', '/api/cars'),
  car: at<CarDetail>('GET', '/api/cars/{id}'),
  schedule: at<Page<CarSchedule>>('GET', '/api/schedule'),
  products: at<ProductPage>('GET', '/api/products'),
  product: at<ProductDetail>('GET', '/api/products/{id}'),
  writeMemo: write<unknown>('POST', '/api/cars/{id}/memos', ofCommand),
  saleStatus: write<unknown>('PUT', '/api/products/{id}/cars/{carId}/sale-status', ofCommand),
  carWrite: at<CarWrite>('GET', '/api/car-writes/{commandId}'),
  hold: at<Hold>('GET', '/api/holds/{id}'),
  changeHold: write<Hold>('PUT', '/api/holds/{id}', ofHold),
  releaseHold: write<Hold>('DELETE', '/api/holds/{id}', ofHold),
  resolveHold: write<Hold>('POST', '/api/holds/{id}/resolve', ofHold),
  activity: at<Page<ActivityEntry>>('GET', '/api/activity'),
  audit: at<Page<AuditEntry>>('GET', '/api/audit'),
  alerts: at<Page<Alert>>('GET', '/api/alerts'),
  shifts: at<Page<Shift>>('GET', '/api/shifts'),
  addShift: write<Shift>('POST', '/api/shifts', { member: 'shiftId' }),
  ...actionEndpoints,
} as const;

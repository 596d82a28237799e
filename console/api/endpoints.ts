import type { Action } from '../../src/domain/reservation/actions.js';
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

const at = <Answer>(method: Endpoint<Answer>['method'], path: string): Endpoint<Answer> => ({ method, path });

/** An action answers with the reservation (200), or with the command while its outcome is not known (202). */
type ActionAnswer = Reservation | Command;

const actionPaths: Record<Action, Endpoint<ActionAnswer>> = {
  'dispatch.staff': at('PUT', '/api/reservations/{id}/dispatch/staff'),
  'dispatch.start': at('PUT', '/api/reservations/{id}/dispatch/start'),
  'dispatch.parkingImage': at('POST', '/api/reservations/{id}/dispatch/parkingImage'),
  'dispatch.carImage': at('POST', '/api/reservations/{id}/dispatch/carImage'),
  'dispatch.complete': at('PUT', '/api/reservations/{id}/dispatch/complete'),
  'recall.staff': at('PUT', '/api/reservations/{id}/recall/staff'),
  'recall.carImage': at('POST', '/api/reservations/{id}/recall/carImage'),
  'recall.complete': at('PUT', '/api/reservations/{id}/recall/complete'),
};

/** Every operation that the console uses. */
export const endpoints = {
  loginMethods: at<LoginMethods>('GET', '/api/session'),
  login: at<Me>('POST', '/api/session'),
  logout: at<undefined>('DELETE', '/api/session'),
  me: at<Me>('GET', '/api/me'),
  staff: at<{ items: StaffMember[] }>('GET', '/api/staff'),
  board: at<Board>('GET', '/api/board'),
  changes: at<never>('GET', '/api/changes'),
  reservations: at<ReservationList>('GET', '/api/reservations'),
  /** By the name of a person. */
  searchReservations: at<ReservationList>('POST', '/api/reservations/search'),
  reservation: at<Reservation>('GET', '/api/reservations/{id}'),
  timeline: at<Timeline>('GET', '/api/reservations/{id}/timeline'),
  resolveAttention: at<Reservation>('POST', '/api/reservations/{id}/attention/{kind}/resolve'),
  claim: at<undefined>('PUT', '/api/reservations/{id}/attention/{kind}/claim'),
  release: at<undefined>('DELETE', '/api/reservations/{id}/attention/{kind}/claim'),
  resolveCommand: at<Reservation>('POST', '/api/reservations/{id}/commands/{commandId}/resolve'),
  assertFacts: at<Reservation>('PUT', '/api/reservations/{id}'),
  makeHold: at<unknown>('POST', '/api/holds'),
  intake: at<Intake>('GET', '/api/intake'),
  callbacks: at<Page<Callback>>('GET', '/api/inbox'),
  callback: at<CallbackDetail>('GET', '/api/inbox/{id}'),
  replay: at<Replayed>('POST', '/api/inbox/{id}/replay'),
  /** The same with `dryRun`: changes nothing. */
  previewReplay: at<ReplayPreviews>('POST', '/api/inbox/{id}/replay'),
  findings: at<Page<Finding>>('GET', '/api/findings'),
  adoptFinding: at<Finding>('POST', '/api/findings/{id}/adopt'),
  bookings: at<Bookings>('GET', '/api/bookings'),
  booking: at<Booking>('GET', '/api/bookings/{commandId}'),
  resolveBooking: at<Booking>('POST', '/api/bookings/{commandId}/resolve'),
  posts: at<Page<Post>>('GET', '/api/outbox'),
  resendPost: at<unknown>('POST', '/api/outbox/{id}/resend'),
  cars: at<CarPage>('GET', '/api/cars'),
  car: at<CarDetail>('GET', '/api/cars/{id}'),
  schedule: at<Page<CarSchedule>>('GET', '/api/schedule'),
  products: at<ProductPage>('GET', '/api/products'),
  product: at<ProductDetail>('GET', '/api/products/{id}'),
  writeMemo: at<unknown>('POST', '/api/cars/{id}/memos'),
  saleStatus: at<unknown>('PUT', '/api/products/{id}/cars/{carId}/sale-status'),
  carWrite: at<CarWrite>('GET', '/api/car-writes/{commandId}'),
  hold: at<Hold>('GET', '/api/holds/{id}'),
  changeHold: at<Hold>('PUT', '/api/holds/{id}'),
  releaseHold: at<Hold>('DELETE', '/api/holds/{id}'),
  resolveHold: at<Hold>('POST', '/api/holds/{id}/resolve'),
  activity: at<Page<ActivityEntry>>('GET', '/api/activity'),
  audit: at<Page<AuditEntry>>('GET', '/api/audit'),
  alerts: at<Page<Alert>>('GET', '/api/alerts'),
  shifts: at<Page<Shift>>('GET', '/api/shifts'),
  acceptShift: at<Shift>('POST', '/api/shifts'),
  ...actionPaths,
} as const;

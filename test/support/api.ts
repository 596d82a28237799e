import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createApi } from '../../src/api/app.js';
import type { ApiDeps } from '../../src/api/deps.js';
import { createLoginSealer } from '../../src/api/http/session-cookie.js';
import { visible } from '../../src/api/reservations/owners.js';
import { createMetrics } from '../../src/app/metrics/process.js';
import type { BookingStart } from '../../src/contract/booking.js';
import type { HoldFacts } from '../../src/domain/hold/index.js';
import type {
  Command,
  CommandView,
  ReservationView,
  TimelineEntry,
} from '../../src/domain/reservation/index.js';
import type { IntakeState } from '../../src/inbox/intake-state.js';
import type { ActivityEntry } from '../../src/store/activity.js';
import type { Alert } from '../../src/store/alerts/alerts.js';
import type { NewAuditEntry, StoredAuditEntry } from '../../src/store/audit.js';
import type { BookingDetail } from '../../src/store/bookings/reads.js';
import type { InboxEvent, InboxItem, Replayed, ReplaySelection } from '../../src/store/callbacks/types.js';
import type { FeedMessage } from '../../src/store/changes/feed.js';
import type { Certificate } from '../../src/store/erasure/certificates.js';
import type { Finding } from '../../src/store/findings/findings.js';
import type { OutboxPost } from '../../src/store/outbox/dead-letters.js';
import type { Person } from '../../src/store/persons.js';
import { openBlobStore } from '../../src/store/photos/store.js';
import type { ClaimAnswer, Claims } from '../../src/store/reservations/claims.js';
import { type Board, type BoardFilter, type ListItem, lanes } from '../../src/store/reservations/list.js';
import type { CarSchedule } from '../../src/store/schedule.js';
import type { Shift } from '../../src/store/shifts.js';
import type { Erasure } from '../../src/temporal/client/erasure/types.js';
import type { HoldCommandAnswer, Holds, KnownHold } from '../../src/temporal/client/holds/types.js';
import type { DecisionAnswer, Reservations } from '../../src/temporal/client/reservations/types.js';
import { publicTestKey } from './codec.js';
import { FakeFleet } from './fake-fleet.js';
import { inEnglish } from './sentences.js';

const tokens = [
  { role: 'viewer', token: 'viewer-token', name: 'board' },
  { role: 'staff', token: 'staff-token', name: 'kim' },
  { role: 'manager', token: 'manager-token', name: 'lee' },
] as const;
export type TokenRole = (typeof tokens)[number]['role'];

/** A word that stands in every personal field of `fullView`, and nowhere else. */
export const personal = 'PERSONAL';

/** A reservation with everything filled in. */
export function fullView(reservationId: number, changes: Partial<ReservationView> = {}): ReservationView {
  const moment = '2026-11-21T09:00:00.000+09:00';
  const byEvent = { grade: 'observed', source: { kind: 'event', id: '7' }, at: moment } as const;
  const byCommand = { grade: 'commanded', source: { kind: 'command', id: 'c-1' }, at: moment } as const;
  const photo = { hash: `${personal}-hash`, type: 'image/jpeg', ...byCommand, outdated: false };
  const staff = { staffName: personal, staffPhone: personal, ...byCommand };
  const person = { name: personal, birth: personal, phone: personal, licenseNumber: personal };
  return {
    reservationId,
    sequence: 1_764_000_000_000,
    status: { code: 10, name: 'dispatch departed', grade: 'observed', source: byEvent.source, since: moment },
    expected: { code: 15, by: moment },
    display: null,
    registered: true,
    marks: [],
    period: { start: moment, end: moment, changes: 0, ...byEvent },
    car: { id: 12, number: '12가3456', changes: 0, ...byEvent },
    company: { id: 1, name: 'A Rental Company' },
    service: { id: 2, name: 'A Channel' },
    productId: 3,
    createdAt: moment,
    pickup: { address: personal, memo: personal },
    driver: { ...person, address: personal },
    companion: person,
    parking: { memo: personal, imageUrl: personal, lotType: 1 },
    driving: { start: null, end: null },
    dispatch: { staff, startedAt: moment, parkingImage: photo, carImage: photo, completedAt: null },
    recall: {
      staff,
      carImage: photo,
      completedAt: null,
      note: {
        commandId: 'c-1',
        carId: 12,
        by: 'kim',
        at: moment,
        text: personal,
        outcome: 'rejected',
        memoId: null,
        code: 'NOT_FOUND',
      },
    },
    evidence: { driver: byEvent, 'parking.lotType': byCommand },
    attention: [{ kind: 'handover-late', since: moment, message: 'the handover is late' }],
    danger: null,
    proposals: [],
    commands: [commandView({ override: { reason: personal }, message: personal, by: 'kim' })],
    progress: { isSupplier: true, isFull: false, missing: ['dispatch.complete'] },
    decisions: [{ at: moment, by: 'kim', about: 'facts', reason: personal }],
    closed: false,
    ...changes,
  };
}

/** The same as the API shows it: its attention items have no owner. */
export function shownView(reservationId: number) {
  const view = visible(fullView(reservationId), inEnglish);
  return { ...view, attention: view.attention.map((item) => ({ ...item, owner: null })) };
}

export function commandView(changes: Partial<CommandView> = {}): CommandView {
  return {
    commandId: 'c-1',
    action: 'dispatch.start',
    outcome: 'applied',
    by: 'kim',
    at: '2026-11-21T09:00:00.000+09:00',
    settledAt: null,
    settledBy: 'answer',
    code: null,
    message: null,
    attempts: 1,
    override: null,
    ...changes,
  };
}

/** A hold with everything personal filled in. */
export function knownHold(changes: Partial<KnownHold> = {}): KnownHold {
  const moment = '2026-11-21T09:00:00.000+09:00';
  const refused = { code: 'E011', message: personal };
  return {
    holdId: 'h-1',
    carId: 12,
    carNumber: '12가3456',
    state: 'active',
    open: true,
    period: { start: moment, end: moment },
    reason: personal,
    withdrawFromSale: false,
    reservationId: null,
    by: 'kim',
    createdAt: moment,
    endedAt: null,
    schedule: { scheduleId: 17, state: 'placed' },
    memoId: 3,
    sale: [],
    attention: [{ kind: 'sale-not-restored', since: moment, code: 'REFUSED', message: personal, left: [] }],
    refused,
    commands: [{ commandId: 'h-1', action: 'create', by: 'kim', at: moment, outcome: 'rejected', refused }],
    ...changes,
  };
}

/** A board without a reservation. */
export function emptyBoard(): Board {
  return Object.fromEntries(lanes.map((lane) => [lane, { count: 0, items: [] }])) as unknown as Board;
}

/** What stands where Temporal and the database would be. */
class FakeParts {
  readonly views = new Map<number, ReservationView>();
  /** Reservations whose view was asked for. */
  readonly viewsRead: number[] = [];
  /** What earlier actions left. */
  readonly recentViews = new Map<number, ReservationView>();
  readonly acts: { id: number; command: Command }[] = [];
  readonly settlements: unknown[] = [];
  readonly bookings: BookingStart[] = [];
  readonly fleet = new FakeFleet();
  readonly bookingDetails = new Map<string, BookingDetail>();
  onResolveBooking: (commandId: string) => ReturnType<ApiDeps['bookings']['resolve']> = async (commandId) =>
    this.bookingDetails.has(commandId) ? { kind: 'settled' } : { kind: 'no-booking' };
  readonly filters: unknown[] = [];
  readonly holds = new Map<string, KnownHold>();
  /** Requests and commands, in their order. */
  readonly heldFor: unknown[] = [];
  listedHolds: HoldFacts[] = [];
  onHold: Holds['make'] = async ({ holdId }) => ({ kind: 'made', hold: knownHold({ holdId }) });
  onHoldCommand: (holdId: string) => Promise<HoldCommandAnswer> = async () => ({ kind: 'no-hold' });
  entries: TimelineEntry[] = [];
  listed: ListItem[] = [];
  onBoard: (filter?: BoardFilter) => Promise<Board> = async () => emptyBoard();
  readonly boardFilters: unknown[] = [];
  /** Whom the identity provider logged in. */
  readonly persons: Person[] = [];
  readonly findings = new Map<number, Finding>();
  readonly adoptions: unknown[] = [];
  inboxItems: InboxItem[] = [];
  alertItems: Alert[] = [];
  readonly inboxEvents = new Map<number, InboxEvent>();
  /** Of the outbox. */
  posts: OutboxPost[] = [];
  readonly resends: unknown[] = [];
  /** It stands for another request. */
  readonly reusedKey = 'reused-key';
  /** The reservation as which a concurrent request with the same key adopts a finding. */
  adoptedMeanwhile: number | undefined;
  readonly replays: unknown[] = [];
  onReplay: (selection: ReplaySelection) => Promise<Replayed> = async (selection) => ({
    events: [{ id: 'id' in selection ? selection.id : 1, reservationId: 8421, replay: 1 }],
    skipped: [],
    nextCursor: null,
  });
  auditLines: StoredAuditEntry[] = [];
  readonly audited: NewAuditEntry[] = [];
  onAudit: (entry: NewAuditEntry) => Promise<void> = async (entry) => void this.audited.push(entry);
  intakeState: IntakeState = {
    receiver: {
      since: Date.UTC(2026, 10, 20),
      accepted: { perSecond1m: 2, perSecond5m: 1.5 },
      refused: { perSecond1m: 0, perSecond5m: 0.01 },
      overloaded: { perSecond1m: 0, perSecond5m: 0 },
      acknowledgedMs: { p50: 2.5, p99: 9 },
    },
    backlog: { events: 3, oldestAt: Date.UTC(2026, 10, 20, 23, 59) },
    unjudged: { events: 2, oldestAt: Date.UTC(2026, 10, 20, 23, 58) },
    deadLetters: 1,
    lastEventAt: null,
    relays: {
      leader: { since: Date.UTC(2026, 10, 20), address: '10.0.0.7' },
      processes: [{ shards: 16, since: Date.UTC(2026, 10, 20), address: '10.0.0.7' }],
    },
    forwarding: null,
    asOf: Date.UTC(2026, 10, 21),
  };
  onInbox: () => Promise<InboxItem[]> = async () => this.inboxItems;
  /** What the next command answers; by default it is applied. */
  onSettle: (id: number) => Promise<DecisionAnswer> = async (id) => ({
    kind: 'settled',
    reservation: fullView(id),
  });
  onAct: Reservations['performAction'] = async (id, { commandId, action }) => ({
    kind: 'answered',
    command: commandView({ commandId, action }),
    reservation: this.views.get(id) ?? fullView(id),
  });
  onBook: ApiDeps['bookings']['book'] = async () => ({
    outcome: 'applied',
    reservationId: 8421,
    status: 'CONFIRMED',
    carNumber: '12가3456',
    pickupAt: Date.UTC(2026, 10, 21),
    returnAt: Date.UTC(2026, 10, 22),
  });
  readonly changeReaders = new Set<(message: FeedMessage) => void>();
  activityEntries: ActivityEntry[] = [];
  readonly accepted: unknown[] = [];
  onShift: (shift: Shift) => Promise<Shift | 'reused'> = async (shift) => shift;
  shiftItems: Shift[] = [];
  readonly erased: unknown[] = [];
  readonly previewed: unknown[] = [];
  onErase: () => Promise<Erasure> = async () => ({ certificate: null, refused: [] });
  certificates: Certificate[] = [];
  carSchedules: CarSchedule[] = [];
  readonly claimed: unknown[] = [];
  onClaim: () => Promise<ClaimAnswer> = async () => ({ kind: 'done' });
  onOwners: () => ReturnType<Claims['ownersOf']> = async () => ({});
  probes: ApiDeps['probes'] = { database: async () => {} };

  deps(): Omit<
    ApiDeps,
    | 'tokens'
    | 'zoneOffsetMinutes'
    | 'log'
    | 'metrics'
    | 'photos'
    | 'sessionSealer'
    | 'installation'
    | 'consoleFolder'
  > {
    const page = <T>(items: T[]) => ({ items, nextCursor: null, asOf: Date.UTC(2026, 10, 21) });
    return {
      reservations: {
        view: async (id) => {
          this.viewsRead.push(id);
          return this.views.get(id);
        },
        recentView: (id) => this.recentViews.get(id),
        performAction: async (id, command) => {
          this.acts.push({ id, command });
          return this.onAct(id, command);
        },
        applyDecision: async (id, name, input) => {
          this.settlements.push({ name, input });
          return this.onSettle(id);
        },
      },
      lists: {
        open: async (filter) => {
          this.filters.push(filter);
          return { ...page(this.listed), count: this.listed.length };
        },
        board: async (_, filter) => {
          this.boardFilters.push(filter);
          return this.onBoard(filter);
        },
        closed: async (filter) => {
          this.filters.push({ closed: true, ...filter });
          return page(this.listed);
        },
      },
      bookings: {
        book: async (start) => {
          this.bookings.push(start);
          return this.onBook(start);
        },
        list: async (filter) => {
          this.filters.push(filter);
          const items = [...this.bookingDetails.values()];
          return page(items.map(({ request, message, candidates, alike, ...item }) => item));
        },
        read: async (commandId) => this.bookingDetails.get(commandId),
        resolve: async (commandId, input) => {
          this.settlements.push({ commandId, input });
          return this.onResolveBooking(commandId);
        },
      },
      fleet: this.fleet.deps(),
      holds: {
        make: async (request) => {
          this.heldFor.push(request);
          return this.onHold(request);
        },
        view: async (id) => this.holds.get(id),
        sendCommand: async (id, command) => {
          this.heldFor.push(command);
          return this.onHoldCommand(id);
        },
        list: async (filter) => {
          this.filters.push(filter);
          return page(this.listedHolds);
        },
      },
      findings: {
        list: async (filter) => {
          this.filters.push(filter);
          return page([...this.findings.values()]);
        },
        read: async (id) => this.findings.get(id),
        isReused: async ({ commandId }) => commandId === this.reusedKey,
        adopt: async ({ finding, reservationId, ...said }) => {
          if (this.adoptedMeanwhile !== undefined) {
            this.findings.set(finding.id, {
              ...finding,
              state: 'adopted',
              reservationId: this.adoptedMeanwhile,
            });
            return 'reused';
          }
          this.adoptions.push({ id: finding.id, reservationId, ...said });
          return { ...finding, state: 'adopted', reservationId, closedAt: finding.lastSeenAt };
        },
      },
      inbox: {
        list: async (filter) => {
          this.filters.push(filter);
          return page(await this.onInbox());
        },
        read: async (id) => this.inboxEvents.get(id),
        replay: async (selection, { by, reason, commandId }) => {
          if (commandId === this.reusedKey) return 'reused';
          this.replays.push({ selection, by, reason, ...(commandId !== undefined && { commandId }) });
          return this.onReplay(selection);
        },
        preview: async (selection) => {
          this.replays.push({ selection, dryRun: true });
          const { events, ...rest } = await this.onReplay(selection);
          const before = { state: 'done' as const, verdict: 'invalid' as const, rule: 'L63' };
          const foreseen = { verdict: 'applied' as const, rule: 'L03' };
          const changes = [{ field: 'status.code', before: 5, after: 10 }];
          const common = { ...before, foreseen, code: null, changes };
          return {
            ...rest,
            events: events.map(({ id, reservationId }) => ({ id, reservationId, ...common })),
          };
        },
      },
      outbox: {
        list: async (filter) => {
          this.filters.push(filter);
          return page([...this.posts]);
        },
        resend: async (selection, { by, reason, commandId }) => {
          if (commandId === this.reusedKey) return 'reused';
          this.resends.push({ selection, by, reason, ...(commandId !== undefined && { commandId }) });
          const ofSelection = this.posts.filter(({ id }) => !('id' in selection) || selection.id === id);
          if (ofSelection.length === 0 && 'id' in selection) return undefined;
          return ofSelection.filter(({ state }) => state === 'dead').map(({ id }) => id);
        },
      },
      intakeState: async () => this.intakeState,
      audit: {
        record: async (entry) => this.onAudit(entry),
        list: async (filter) => {
          this.filters.push(filter);
          return page(this.auditLines);
        },
      },
      alerts: {
        list: async (query) => {
          this.filters.push(query);
          return page(this.alertItems);
        },
      },
      timeline: { read: async () => page(this.entries) },
      persons: {
        loggedIn: async (person) => {
          this.persons.push(person);
        },
        list: async () => this.persons,
      },
      claims: {
        claim: async (item, claim) => {
          this.claimed.push({ ...item, ...claim });
          return this.onClaim();
        },
        release: async (item, release) => {
          this.claimed.push({ ...item, ...release });
          return this.onClaim();
        },
        ownersOf: async () => this.onOwners(),
      },
      plates: { of: async (carIds) => new Map(carIds.map((id) => [id, `${id}가1234`])) },
      activity: {
        list: async (filter) => {
          this.filters.push(filter);
          return page(this.activityEntries);
        },
      },
      shifts: {
        add: async (shift, commandId) => {
          this.accepted.push({ ...shift, commandId });
          return this.onShift({ ...shift, shiftId: 1 });
        },
        list: async (filter) => {
          this.filters.push(filter);
          return page(this.shiftItems);
        },
      },
      isClosed: async () => false,
      erasures: {
        erase: async (order) => {
          this.erased.push(order);
          return this.onErase();
        },
        eraseDriver: async (driver, by) => {
          this.erased.push({ driver, by });
          return this.onErase();
        },
        preview: async (wanted) => {
          this.previewed.push(wanted);
          return { wouldErase: { reservations: [8421], bookings: ['b-1'], holds: [] }, refused: [] };
        },
        list: async (filter) => {
          this.filters.push(filter);
          return page(this.certificates);
        },
      },
      schedule: {
        read: async (period, at) => {
          this.filters.push({ period, ...at });
          return page(this.carSchedules);
        },
      },
      changes: {
        read: (onMessage, lastId) => {
          onMessage({ kind: 'position', id: lastId ?? 'e-0' });
          this.changeReaders.add(onMessage);
          return () => this.changeReaders.delete(onMessage);
        },
      },
      probes: this.probes,
    };
  }
}

export interface Ask {
  method?: string;
  as?: TokenRole | undefined;
  key?: string;
  json?: unknown;
  body?: string | FormData;
  headers?: Record<string, string>;
}

/** The status API over real HTTP on a free port, its parts faked. */
export async function startApi(changes: Partial<ApiDeps> = {}) {
  const parts = new FakeParts();
  const logged: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  const metrics = createMetrics();
  const folder = await mkdtemp(join(tmpdir(), 'handover-photos-'));
  const photos = await openBlobStore({ kind: 'folder', path: folder });
  const app = await createApi({
    ...parts.deps(),
    photos,
    tokens,
    sessionSealer: createLoginSealer([publicTestKey]),
    installation: { version: '0.0.0', temporalUi: null, temporalNamespace: 'default' },
    consoleFolder: join(folder, 'console'),
    zoneOffsetMinutes: 540,
    log,
    metrics,
    ...changes,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

  const ask = async (path: string, { method = 'GET', as, key, json, body, headers }: Ask = {}) => {
    const token = tokens.find(({ role }) => role === as)?.token;
    const sent = json === undefined ? body : JSON.stringify(json);
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(sent !== undefined && { body: sent }),
    });
    const type = response.headers.get('content-type') ?? '';
    const isEndless = type.includes('event-stream');
    if (isEndless) await response.body?.cancel();
    const text = isEndless ? '' : await response.text();
    const answer = type.includes('json') ? JSON.parse(text) : text;
    return { status: response.status, headers: response.headers, type, body: answer, text };
  };
  /** Names of the files in the photo store. */
  const photosKept = async () => {
    const found = await readdir(folder, { recursive: true, withFileTypes: true });
    return found.filter((entry) => entry.isFile()).map((entry) => entry.name);
  };
  const close = async () => {
    await app.close();
    // a photo may still be on its way into it
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  return { url, ask, parts, logged, metrics, photosKept, close };
}
export type TestApi = Awaited<ReturnType<typeof startApi>>;

import { signal } from '@preact/signals';
import { send } from '../../api/client.js';
import { endpoints } from '../../api/endpoints.js';
import type { Board, BoardRow, Reservation } from '../../api/types.js';
import { inStores } from '../../offline/database.js';
import { entries, onApplied } from '../../offline/queue.js';
import { isSameUser, rememberedUser, rememberUser } from '../../offline/user.js';
import { serviceTime } from '../../state/clock.js';
import { fourAtATime } from '../../state/four-at-a-time.js';
import { reservationResource } from '../../state/reservation.js';
import { me } from '../../state/session.js';
import { language } from '../../texts/index.js';
import { inOrder, type Job, toJob } from './job.js';

/** So many are read and stored: those of the user, then the next by their time. */
const most = 30;

/** The jobs that this phone has stored; null: not read yet. */
export const jobs = signal<readonly Job[] | null>(null);
/** When the board was last read from the service. */
export const jobsAsOf = signal<number | null>(null);

/** Those of the user: what another one has left on this phone is deleted. */
export async function readStoredJobs(): Promise<void> {
  const user = me();
  if (user === null || jobs.value !== null) return;
  await rememberUser(user);
  const isMine = isSameUser(await rememberedUser(), user);
  const read = <Result>(run: Parameters<typeof inStores<Result>>[2]) =>
    isMine ? inStores(['jobs', 'user'], 'readonly', run).catch(() => undefined) : undefined;
  const stored = await read<Job[]>((store) => store('jobs').getAll());
  jobsAsOf.value ??= (await read<number>((store) => store('user').get('jobsAsOf'))) ?? null;
  jobs.value ??= inOrder(stored ?? []);
}

/** What an answer to an action shows is newer than the board. */
export function followApplied(): void {
  onApplied.run = (reservation) => {
    const known = jobs.value?.find(({ reservationId }) => reservationId === reservation.reservationId);
    if (known !== undefined) void store([toJob(reservation, known.isMine, language.value)], []);
  };
}

/** What the board has beside the stored jobs. */
interface Sync {
  /** How many of the chosen reservations could not be read. */
  failed: number;
  others: { mine: number; all: number };
}

/**
 * Reads the board, then the reservations that changed since they were stored, and removes those that no step is left of. One that
 * cannot be read hides no other, and stays as it was stored.
 * @throws `ApiError` where the board cannot be read: all stays as it is
 */
export async function syncJobs(): Promise<Sync> {
  await readStoredJobs();
  const [mine, all] = await Promise.all([readBoard({ mine: 'true' }), readBoard({})]);
  const ofUser = new Map(rowsOf(mine).map((row) => [row.reservationId, row]));
  const rest = rowsOf(all).filter(({ reservationId }) => !ofUser.has(reservationId));
  const chosen = [...ofUser.values(), ...rest].slice(0, most);
  const known = new Map((jobs.value ?? []).map((job) => [job.reservationId, job]));
  const asked = language.value;
  const read: Job[] = [];
  let failed = 0;
  await fourAtATime(chosen, async ({ reservationId, sequence }) => {
    const isMine = ofUser.has(reservationId);
    const job = known.get(reservationId);
    try {
      if (job !== undefined && job.sequence >= sequence && job.language === asked)
        read.push({ ...job, isMine, staleSince: null });
      else read.push(toJob(await readReservation(reservationId), isMine, asked));
    } catch {
      failed++;
      if (job !== undefined)
        read.push({ ...job, isMine, staleSince: job.staleSince ?? jobsAsOf.value ?? serviceTime() });
    }
  });
  const stays = new Set([...chosen, ...entries.value].map(({ reservationId }) => reservationId));
  await store(
    read,
    [...known.keys()].filter((id) => !stays.has(id)),
  );
  jobsAsOf.value = serviceTime();
  await inStores(['user'], 'readwrite', (stores) => stores('user').put(jobsAsOf.value, 'jobsAsOf')).catch(
    () => {},
  );
  const isMine = ({ reservationId }: BoardRow) => ofUser.has(reservationId);
  return {
    failed,
    others: { mine: countOf(mine) - chosen.filter(isMine).length, all: countOf(all) - chosen.length },
  };
}

async function readBoard(query: Record<string, string>): Promise<Board> {
  return (await send(endpoints.board, { query })).body;
}

/** Reservations that have a next step, by their time. */
function rowsOf({ lanes }: Board): BoardRow[] {
  const rows = Object.values(lanes).flatMap(({ items }) => items.filter(({ next }) => next !== null));
  const time = ({ relevantAt }: BoardRow) =>
    relevantAt === null ? Number.POSITIVE_INFINITY : Date.parse(relevantAt);
  return rows.sort((a, b) => time(a) - time(b));
}

/** How many the lanes have, also those that are not among their rows; without those that are known to have no next step. */
function countOf({ lanes }: Board): number {
  return Object.values(lanes).reduce(
    (sum, { count, items }) => sum + count - items.filter(({ next }) => next === null).length,
    0,
  );
}

async function readReservation(id: number): Promise<Reservation> {
  const { body } = await send(endpoints.reservation, { params: { id } });
  reservationResource(id).accept(body);
  return body;
}

async function store(read: readonly Job[], removed: readonly number[]): Promise<void> {
  const known = new Map((jobs.value ?? []).map((job) => [job.reservationId, job]));
  // an action may have been applied since the service was asked: its step is not offered again
  const changed = read.map((job) => {
    const shown = known.get(job.reservationId);
    return shown !== undefined && shown.sequence > job.sequence ? { ...shown, isMine: job.isMine } : job;
  });
  const ids = new Set([...removed, ...changed.map(({ reservationId }) => reservationId)]);
  jobs.value = inOrder([
    ...(jobs.value ?? []).filter(({ reservationId }) => !ids.has(reservationId)),
    ...changed,
  ]);
  // without space the jobs are shown, and not stored
  await inStores(['jobs'], 'readwrite', (stores) => {
    for (const id of removed) stores('jobs').delete(id);
    for (const job of changed) stores('jobs').put(job);
    return undefined;
  }).catch(() => {});
}

import { signal } from '@preact/signals';
import { send } from '../../api/client.js';
import { endpoints } from '../../api/endpoints.js';
import type { Board, BoardRow, Reservation } from '../../api/types.js';
import { inStores } from '../../offline/database.js';
import { entries, onApplied } from '../../offline/queue.js';
import { isSameUser, rememberedUser, rememberUser } from '../../offline/user.js';
import { serviceTime } from '../../state/clock.js';
import { reservationResource } from '../../state/reservation.js';
import { me } from '../../state/session.js';
import { inOrder, isOf, type Job, toJob } from './job.js';

/** So many are read and stored: those of the user, then the next by their time. */
const most = 30;
const atOnce = 4;

/** The jobs that this phone has stored; null: not read yet. */
export const jobs = signal<readonly Job[] | null>(null);
/** How many the board has beside them. */
export const others = signal(0);
/** When they were last read from the service. */
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
    if (known !== undefined) void store([toJob(reservation, known.owner)], []);
  };
}

/** Reads the reservations that changed since they were stored, and removes those that no step is left of. */
export async function syncJobs(board: Board): Promise<void> {
  const rows = rowsOf(board);
  const chosen = rows.slice(0, most);
  const known = new Map((jobs.value ?? []).map((job) => [job.reservationId, job]));
  const read: Job[] = [];
  const left = [...chosen];
  const next = async () => {
    for (let row = left.shift(); row !== undefined; row = left.shift()) {
      const job = known.get(row.reservationId);
      if (job !== undefined && job.sequence >= row.sequence) read.push({ ...job, owner: row.owner });
      else read.push(toJob(await readReservation(row.reservationId), row.owner));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, next));
  const stays = new Set([...chosen, ...entries.value].map(({ reservationId }) => reservationId));
  await store(
    read,
    [...known.keys()].filter((id) => !stays.has(id)),
  );
  others.value = rows.length - chosen.length;
  jobsAsOf.value = serviceTime();
  await inStores(['user'], 'readwrite', (stores) => stores('user').put(jobsAsOf.value, 'jobsAsOf')).catch(
    () => {},
  );
}

/** Reservations that have a next step, those of the user first. */
function rowsOf(board: Board): BoardRow[] {
  const user = me()?.name ?? '';
  const rows = Object.values(board.lanes).flatMap(({ items }) => items.filter(({ next }) => next !== null));
  const time = ({ relevantAt }: BoardRow) =>
    relevantAt === null ? Number.POSITIVE_INFINITY : Date.parse(relevantAt);
  return rows.sort((a, b) => Number(isOf(user, b)) - Number(isOf(user, a)) || time(a) - time(b));
}

async function readReservation(id: number): Promise<Reservation> {
  const { body } = await send(endpoints.reservation, { params: { id } });
  reservationResource(id).accept(body);
  return body;
}

async function store(changed: readonly Job[], removed: readonly number[]): Promise<void> {
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

import type { Role } from '../../../platform/model.js';
import type { Listing, Schema } from '../../../platform/profile.js';
import { createCheck, type Finding, type GapId } from '../finding.js';
import type { Asking, Platform, ReadName } from './ask.js';
import { type Misfit, nameOf, placesOf, readAs, readList } from './misfits.js';
import { codeOf, isSuccess } from './refusals.js';

/** The gap that a misfit belongs to. */
type GapOf = (misfit: Misfit) => GapId;

/** One read, and the gaps of the profile that it checks. */
export interface Read extends Asking {
  name: ReadName;
  /** As a person reads it, such as `GET /product`. */
  title: string;
  /** Gaps that are confirmed where everything fits. */
  shows: readonly GapId[];
  gapOf: GapOf;
  /** Paths of values that some step of Handover needs: a value of another type blocks it. Every other is read as unknown. */
  needs: readonly string[];
  /** Gaps that a refusal of the request itself contradicts. */
  refusalShows?: readonly GapId[];
}

/** The key that may send this read, the supplier's first; undefined where neither key may (G26). */
export type May = (
  name: ReadName,
  title: string,
) => (Pick<Read, 'name' | 'title'> & { role: Role; key: string }) | undefined;

const todo = 'correct the wire profile (WIRE_PROFILE, docs/gap-ledger.md), then run this again';

/** Sizes at which other platforms cut their lists. */
const pageSizes = new Set([10, 20, 25, 30, 50, 100, 200, 250, 500, 1_000]);

/** Reads a list and reports how it fits. @returns what could be read, also out of another wrapping */
export async function* checkList<T>(platform: Platform, read: Read): AsyncGenerator<Finding, T[]> {
  const check = createCheck('wire profile', read.title);
  const body = yield* readBody(platform, read);
  if (body === undefined) return [];
  const list = readList(schemaOf<Listing<T>>(platform, read.name), body);
  const { items, next, otherShape, misfits, unread } = list;
  if (otherShape !== undefined)
    yield check.fail(`the list comes as ${otherShape}, which the profile does not read as one`, {
      todo,
      gaps: ['G21'],
    });
  if (misfits.length > 0) yield reportMisfits(read, misfits);
  yield* reportUnread(read, unread);
  if (items === undefined) return [];
  if (items.length === 0) yield check.skip('an empty list: how its items look does not show', { gaps: [] });
  else
    yield check.ok(`${items.length} read`, {
      gaps: otherShape === undefined ? [...shownBy(read, unread), 'G21'] : shownBy(read, unread),
    });
  if (otherShape === undefined) yield* checkPages(platform, read, items.length, next);
  return items;
}

/** Whether the list ends where the profile expects its end (G21). */
async function* checkPages(
  platform: Platform,
  read: Read,
  count: number,
  next?: string,
): AsyncGenerator<Finding> {
  const check = createCheck('wire profile', `${read.title}: pages`, { gaps: ['G21'] });
  if (next === undefined) {
    if (pageSizes.has(count))
      yield check.warn(`exactly ${count} and no sign of a next page: the list may be cut`, {
        todo: "compare with the platform's web site",
      });
    return;
  }
  const body = yield* readBody(platform, { ...read, query: { ...read.query, page: next } });
  if (body === undefined) return;
  const page = readList(schemaOf<Listing<unknown>>(platform, read.name), body);
  if (page.items === undefined || page.next === next)
    yield check.fail('the second page is not read, or names itself', { todo });
  else yield check.ok(`a second page of ${page.items.length}`);
}

/** Reads one object. @returns it, where it fits */
export async function* checkObject<T>(
  platform: Platform,
  read: Read,
): AsyncGenerator<Finding, T | undefined> {
  const body = yield* readBody(platform, read);
  if (body === undefined) return undefined;
  const found = readAs(schemaOf<T>(platform, read.name), parseBody(body));
  if ('misfits' in found) {
    yield reportMisfits(read, found.misfits);
    return undefined;
  }
  yield* reportUnread(read, found.unread);
  yield createCheck('wire profile', read.title).ok('read', { gaps: shownBy(read, found.unread) });
  return found.value;
}

async function* readBody(platform: Platform, read: Read): AsyncGenerator<Finding, Buffer | undefined> {
  const check = createCheck('wire profile', read.title);
  const received = await platform.read(read.name, read);
  if (received.cut !== undefined) {
    yield check.fail(`no whole answer (${received.cut})`, {
      todo: 'try again; a list may be too large for 32 MiB',
    });
    return undefined;
  }
  const expected = platform.profile.operations[read.name].success.status;
  if (!isSuccess(received)) {
    const gaps = read.refusalShows ?? [];
    const code = codeOf(platform.profile, received);
    yield check.fail(`refused: HTTP ${received.status}, ${code}`, { todo, ...(gaps.length > 0 && { gaps }) });
    return undefined;
  }
  if (received.status !== expected)
    yield check.warn(`HTTP ${received.status}, where the profile has ${expected}; any 2xx is accepted`, {
      gaps: ['G24'],
    });
  return received.body;
}

function reportMisfits({ title, gapOf }: Read, misfits: readonly Misfit[]): Finding {
  const gaps = gapsOf(misfits, gapOf);
  return createCheck('wire profile', title).fail(`does not fit: ${placesOf(misfits)}`, { todo, gaps });
}

/** Reports the values that do not fit: each is read as unknown, and blocks only the steps that need it. */
function* reportUnread({ title, gapOf, needs }: Read, unread: readonly Misfit[]): Generator<Finding> {
  if (unread.length === 0) return;
  const gaps = gapsOf(unread, gapOf);
  const check = createCheck('wire profile', title, { todo, gaps });
  const isNeeded = ({ path }: Misfit) => needs.includes(nameOf(path)) || nameOf(path) === '';
  const blocking = unread.filter(isNeeded);
  if (blocking.length === 0)
    yield check.warn(`${unread.length} values are read as unknown, nothing needs them: ${placesOf(unread)}`);
  else yield check.fail(`${blocking.length} values that are needed do not fit: ${placesOf(blocking)}`);
}

function gapsOf(misfits: readonly Misfit[], gapOf: GapOf): GapId[] {
  return [...new Set(misfits.map((one) => one.gap ?? gapOf(one)))].toSorted();
}

function shownBy({ shows, gapOf }: Read, unread: readonly Misfit[]): GapId[] {
  const contradicted = gapsOf(unread, gapOf);
  return shows.filter((gap) => !contradicted.includes(gap));
}

function schemaOf<T>({ profile }: Platform, name: ReadName): Schema<T> {
  return profile.operations[name].success.schema as unknown as Schema<T>;
}

function parseBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

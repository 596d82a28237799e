import { expect } from 'vitest';
import type { ReservationView, Verdict } from '../../../src/domain/reservation/index.js';
import { eventually } from '../eventually.js';
import { readJson } from '../process.js';
import { type Delivery, factsOf, undisturbed } from './deliveries.js';
import type { Rentals } from './rentals.js';
import { unreplayable } from './replays.js';
import type { Sender } from './sender.js';
import { type Site, token } from './sites.js';

interface InboxItem {
  eventId: string;
  reservationId: number | null;
  state: string;
  verdict: Verdict | null;
  copies: number;
  receivedAt: string;
  verdictAt: string | null;
}

/**
 * Each acknowledged event has its one verdict, each reservation the state of an undisturbed run, and each command that moves a
 * reservation acted once; every history replays.
 */
export async function expectAllEffects(
  site: Site,
  sender: Sender,
  deliveries: readonly Delivery[],
  rentals: Rentals,
): Promise<void> {
  const { verdicts, facts } = undisturbed(deliveries);
  await expectOneVerdictEach(site.address, sender, verdicts);
  await expectFacts(site, facts);
  for (const id of rentals.ids) {
    const { status, car } = await viewOf(site, id);
    const truth = await rentals.truth(id);
    expect([id, status.code, car?.id]).toEqual([id, truth.reservationStatus, truth.carId]);
    expect([id, status.code]).toEqual([id, 35]);
    expect([id, await rentals.moved(id)]).toEqual([
      id,
      ['dispatchStart', 'dispatchComplete', 'recallComplete'],
    ]);
  }
  expect(await unreplayable(site)).toEqual([]);
}

/** Each acknowledged event is one row, with the verdict of an undisturbed run. @returns the inbox */
export async function expectOneVerdictEach(
  address: string,
  sender: Sender,
  expected: Map<string, Verdict>,
): Promise<InboxItem[]> {
  const items = await eventually(
    'every event has its verdict',
    async () => {
      if (await hasOpenEvents(address).catch(() => true)) return false;
      const found = await inboxOf(address).catch(() => []);
      return found.length > 0 && found.every(({ state }) => !isOpen(state)) && found;
    },
    180_000,
    250,
  );
  const byId = new Map<string, InboxItem[]>();
  for (const item of items) byId.set(item.eventId, [...(byId.get(item.eventId) ?? []), item]);
  const wrong: string[] = [];
  for (const [id, times] of sender.acknowledged) {
    const rows = byId.get(id) ?? [];
    const [row] = rows;
    const right = rows.length === 1 && row?.state === 'done' && row.verdict !== null && row.copies >= times;
    const asUndisturbed = !expected.has(id) || row?.verdict === expected.get(id);
    if (!right || !asUndisturbed) wrong.push(`${id}: ${JSON.stringify(rows)}, not ${expected.get(id)}`);
  }
  expect(wrong).toEqual([]);
  expect(byId.size).toBe(sender.acknowledged.size);
  return items;
}

const openStates = ['received', 'sent'];
const isOpen = (state: string) => openStates.includes(state);

/** Asked before the whole inbox is read, which costs a busy product much. */
async function hasOpenEvents(address: string): Promise<boolean> {
  for (const state of openStates) {
    const { items } = await inboxPage(address, `state=${state}&limit=1`);
    if (items.length > 0) return true;
  }
  return false;
}

/** The whole inbox, page by page. */
async function inboxOf(address: string): Promise<InboxItem[]> {
  const items: InboxItem[] = [];
  for (let cursor = ''; ; ) {
    const page = await inboxPage(address, `limit=500${cursor}`);
    items.push(...page.items);
    if (page.nextCursor === null) return items;
    cursor = `&cursor=${page.nextCursor}`;
  }
}

const inboxPage = (address: string, query: string) =>
  readJson<{ items: InboxItem[]; nextCursor: string | null }>(`${address}/api/inbox?${query}`, token);

/** Some at a time, for there may be thousands. */
async function expectFacts(site: Site, facts: ReturnType<typeof undisturbed>['facts']): Promise<void> {
  const left = facts.entries();
  const check = async () => {
    for (const [id, expected] of left)
      expect(factsOf(await viewOf(site, id)), `reservation ${id}`).toEqual(expected);
  };
  await Promise.all(Array.from({ length: 8 }, check));
}

/** @throws with the last answer and the API's log, where the reservation is not shown within 30 s */
async function viewOf({ address, log }: Site, id: number): Promise<ReservationView> {
  let last: unknown;
  return eventually(
    `reservation ${id} is shown`,
    () =>
      readJson<ReservationView>(`${address}/api/reservations/${id}`, token).catch((error) => {
        last = error;
        return undefined;
      }),
    30_000,
  ).catch((error) => {
    throw new Error(`${error}; the last answer: ${last}; the log: ${log().slice(-4_000)}`);
  });
}

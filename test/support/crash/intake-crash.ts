import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { ReservationView, Verdict } from '../../../src/domain/reservation/index.js';
import type { CallbackKind } from '../../../src/platform/model.js';
import { randomOf } from '../../../src/sandbox/traffic/random.js';
import { startReceiver } from '../callback-receiver.js';
import { callbackSecret, wire } from '../callbacks.js';
import { eventually } from '../eventually.js';
import { readJson } from '../process.js';
import { startTestSandbox } from '../sandbox.js';
import { deliveriesOf, factsOf, undisturbed } from './deliveries.js';
import { Rentals } from './rentals.js';
import { unreplayable } from './replays.js';
import { Sender } from './sender.js';
import { type Site, token } from './sites.js';

export interface CrashPlan {
  seed: number;
  /** Of the generated traffic; the rentals' own come beside them. */
  callbacks: number;
  rentals: number;
  kills: number;
  engineKills: number;
  perSecond: number;
  /** Orderly restarts: no attempt to send a callback may fail. */
  refusesNone?: boolean;
}

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
 * Callbacks with duplicates and disorder, and whole rentals with staff commands, while the product's processes and the
 * engine are killed at random moments of it. In the end each acknowledged event has its one verdict, each reservation
 * the state of an undisturbed run, and each command that moves a reservation acted once.
 */
export async function surviveCrashes(
  start: (platformUrl: string) => Promise<Site>,
  plan: CrashPlan,
): Promise<void> {
  const deliveries = await deliveriesOf(plan.seed, plan.callbacks);
  // the sandbox's own callbacks go the way of all: they are sent until the product has acknowledged them
  let onCallback: (path: string, webhookId: string, body: string) => void = () => {};
  const receiver = await startReceiver(({ path, headers, raw }) => {
    onCallback(path, String(headers['webhook-id']), raw);
    return 204;
  });
  const sandbox = await startTestSandbox({ callback: { url: receiver.url, secret: callbackSecret } });
  let sender: Sender | undefined;
  let site: Site | undefined;
  try {
    site = await start(sandbox.url);
    const { address } = site;
    const sending = new Sender({ address, secret: callbackSecret }, { lanes: 8, perSecond: plan.perSecond });
    sender = sending;
    onCallback = (path, webhookId, body) => {
      const { reservationId } = JSON.parse(body);
      sending.sendAtOnce({ webhookId, kind: kindOf(path), path, reservationId, body });
    };
    const rentals = new Rentals(sandbox, address);
    sending.send(deliveries);
    const played = Promise.all(Array.from({ length: plan.rentals }, () => rentals.play()));
    await Promise.all([crash(site, sending, plan, deliveries.length), played]);
    await sending.done();
    const outage = `nothing was accepted for ${Math.round(sending.longestOutageMs)} ms at most`;
    console.info(`${sending.acknowledged.size} acknowledged, ${sending.failed} attempts were not; ${outage}`);
    if (plan.refusesNone) expect(sending.failures).toEqual([]);
    if (sending.failed > 0) expect(sending.longestOutageMs).toBeGreaterThan(0);

    await expectOneVerdictEach(address, sending, undisturbed(deliveries).verdicts);
    for (const [id, facts] of undisturbed(deliveries).facts) {
      expect(factsOf(await viewOf(site, id)), `reservation ${id}`).toEqual(facts);
    }
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
    site.expectMore?.();
    expect(await unreplayable(site)).toEqual([]);
  } finally {
    sender?.stop();
    site?.stop();
    await sandbox.dispose();
    await receiver.close();
  }
}

const kindOf = (path: string) =>
  Object.entries(wire.paths).find(([, known]) => known === path)?.[0] as CallbackKind;

/** Kills at random moments, each in its own part of the way. */
async function crash(site: Site, sender: Sender, plan: CrashPlan, callbacks: number): Promise<void> {
  const random = randomOf('kills', plan.seed);
  const crashes = [
    ...Array.from({ length: plan.kills }, () => () => site.kill(random)),
    ...Array.from({ length: plan.engineKills }, () => () => site.killEngine()),
  ];
  const order = crashes.map((act) => ({ act, at: random.unit() })).sort((a, b) => a.at - b.at);
  if (site.loseDatabase !== undefined) {
    order.splice(order.length / 2, 0, { act: () => site.loseDatabase?.() ?? Promise.resolve(), at: 0 });
  }
  const part = (callbacks * 0.9) / order.length;
  for (const [index, { act }] of order.entries()) {
    const due = Math.floor((index + random.unit()) * part);
    // so that there is traffic at the last of them too
    sender.pauseAt = due + Math.ceil(part);
    await eventually(`callback ${due} is acknowledged`, () => sender.count >= due, 240_000);
    await sleep(random.unit() * 400);
    await act();
  }
  sender.pauseAt = Infinity;
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
      const found = await inboxOf(address).catch(() => []);
      const open = found.filter(({ state }) => state !== 'done' && state !== 'dead');
      return found.length > 0 && open.length === 0 && found;
    },
    180_000,
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

/** The whole inbox, page by page. */
async function inboxOf(address: string): Promise<InboxItem[]> {
  const items: InboxItem[] = [];
  for (let cursor = ''; ; ) {
    const page: { items: InboxItem[]; nextCursor: string | null } = await readJson(
      `${address}/api/inbox?limit=500${cursor}`,
      token,
    );
    items.push(...page.items);
    if (page.nextCursor === null) return items;
    cursor = `&cursor=${page.nextCursor}`;
  }
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

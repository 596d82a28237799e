import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Action, CommandView, ReservationView } from '../../src/domain/reservation/index.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { embeddedLane } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type HandoverParts, startHandoverParts } from '../support/handover-parts.js';

/** L28 and L14 over real parts: the customer cancels, or the car is changed, while a request is out. */
interface Flight {
  action: Action;
  operation: string;
  from: number;
  /** Sent while the request is out: it waits behind it. Absent where the request itself ends the reservation. */
  behind?: Action;
  /** What Handover shows at the end; 40 unless the request itself ended the reservation. */
  ends?: number;
  /** 10 was never reached: there is no car to retrieve. */
  atHome?: boolean;
}
const flights: Flight[] = [
  { action: 'dispatch.staff', operation: 'dispatchStaff', from: 5, behind: 'dispatch.start', atHome: true },
  { action: 'dispatch.start', operation: 'dispatchStart', from: 5, behind: 'dispatch.staff' },
  {
    action: 'dispatch.parkingImage',
    operation: 'dispatchParkingImage',
    from: 10,
    behind: 'dispatch.carImage',
  },
  { action: 'dispatch.carImage', operation: 'dispatchCarImage', from: 10, behind: 'dispatch.parkingImage' },
  { action: 'dispatch.complete', operation: 'dispatchComplete', from: 10, behind: 'recall.staff' },
  { action: 'recall.staff', operation: 'recallStaff', from: 15, behind: 'recall.staff' },
  { action: 'recall.carImage', operation: 'recallCarImage', from: 30, behind: 'recall.staff' },
  { action: 'recall.complete', operation: 'recallComplete', from: 30, ends: 35 },
];
/** Long enough for the cancellation to arrive on a busy machine, shorter than the client's deadline of 10 s. */
const late = { kind: 'latency', ms: 8_500 };
const lost = { kind: 'hang', applied: false };

const lane = embeddedLane();
let database: HandoverDatabase;
let parts: HandoverParts;
const answeredLate = new Map<Flight, number>();
const neverAnswered = new Map<Flight, number>();
/** The journal's last entry of the preparations. */
let preparedUntil = 0;
const moving = flights.filter(({ operation }) => /Start|Complete/.test(operation));

beforeAll(async () => {
  database = await lane.open();
  parts = await startHandoverParts(database, { worker: true });
  const fly = async (flight: Flight, ids: Map<Flight, number>) =>
    ids.set(flight, await prepared(flight.from));
  await Promise.all([
    ...flights.map((flight) => fly(flight, answeredLate)),
    ...moving.map((flight) => fly(flight, neverAnswered)),
  ]);
  preparedUntil = await journalEnd();
  await setFaults([...faultsOf(answeredLate, late), ...faultsOf(neverAnswered, lost)]);
  await Promise.all([...answeredLate, ...neverAnswered].map(([flight, id]) => cancelInFlight(flight, id)));
}, 150_000);
afterAll(async () => {
  await parts?.stop();
  await database?.close();
}, 60_000);

/** A reservation at a status that it reached on the web site, as Handover shows it too. */
async function prepared(status: number): Promise<number> {
  const { booked, command, customer } = parts.platform;
  const id = await booked();
  if (status >= 10) await command('PUT', id, 'dispatch/start');
  if (status >= 15) await command('PUT', id, 'dispatch/complete');
  if (status >= 20) await customer(id, 'start-use');
  if (status >= 30) await customer(id, 'return');
  await seen(id, `is at ${status}`, (view) => view.status.code === status);
  return id;
}

const faultsOf = (ids: Map<Flight, number>, effect: object) =>
  [...ids].map(([{ operation }, reservationId]) => ({ operation, reservationId, effect }));
const setFaults = (calls: object[]) => parts.platform.control('PUT', '/faults', { calls });

async function seen(
  id: number,
  what: string,
  holds: (view: ReservationView) => boolean,
): Promise<ReservationView> {
  const look = async () => {
    const view = await parts.view(id);
    return view !== undefined && holds(view) ? view : undefined;
  };
  return eventually(`reservation ${id} ${what}`, look, 30_000, 150);
}

const commandOf = (view: ReservationView, id: string): CommandView | undefined =>
  view.commands.find(({ commandId }) => commandId === id);
const isOut = (view: ReservationView) => commandOf(view, 'in-flight')?.outcome === 'out';

/** Sends an action and another one behind it, and lets the customer cancel; read while the first is still out. */
async function cancelInFlight({ action, behind, from, operation }: Flight, id: number): Promise<void> {
  void parts.sendAction(id, action, 'in-flight');
  await eventually(`${action} is at the platform`, () => hasArrived(operation, id), 30_000, 100);
  if (behind !== undefined) {
    void parts.sendAction(id, behind, 'behind');
    await seen(id, 'has both', (view) => commandOf(view, 'behind')?.outcome === 'queued');
  }
  // from 20 on the platform takes no cancellation: there an assertion of a manager replaces it
  if (from < 20) expect((await parts.platform.customer(id, 'cancel')).status).toBe(200);
  else
    await parts.platform.control('POST', '/callbacks', {
      kind: 'status',
      body: { reservationId: id, reservationStatus: 40 },
    });
  await seen(
    id,
    'ended while its request was out',
    (view) => isOut(view) && [35, 40].includes(view.status.code ?? 0),
  );
}

async function journalEnd(): Promise<number> {
  const { body } = await parts.platform.control('GET', '/journal?limit=500');
  return body.items.at(-1)?.journalId ?? 0;
}

async function hasArrived(operation: string, id: number): Promise<boolean> {
  const { body } = await parts.platform.control('GET', '/faults');
  type Listed = { operation: string; reservationId: number; hits: number };
  return body.calls.some(
    (fault: Listed) => fault.operation === operation && fault.reservationId === id && fault.hits > 0,
  );
}

/** What came to the platform since the faults were set: the effects of one operation's requests. */
async function acted(id: number, operation: string): Promise<string[]> {
  const filter = `reservationId=${id}&operation=${operation}&kind=request&after=${preparedUntil}`;
  const { body } = await parts.platform.control('GET', `/journal?${filter}`);
  return body.items.map(({ effect }: { effect: string }) => effect);
}

describe('L28: cancelled while its request is out, which the platform then accepts', () => {
  it.each(flights)('$action finishes, and no other action follows', async (flight) => {
    const id = answeredLate.get(flight) ?? 0;
    const isOver = (shown: ReservationView) =>
      flight.behind === undefined ? !isOut(shown) : commandOf(shown, 'behind')?.outcome === 'rejected';
    const view = await seen(id, 'has its answer', isOver);
    expect(commandOf(view, 'in-flight')).toMatchObject({ outcome: 'applied', attempts: 1 });
    expect(view.status.code).toBe(flight.ends ?? 40);
    const kinds = view.attention.map(({ kind }) => kind);
    if (flight.ends === undefined) expect(kinds.includes('retrieve-car')).toBe(flight.atHome !== true);
    expect(await acted(id, flight.operation)).toEqual(['applied']);
    if (flight.behind === undefined) return;
    expect(commandOf(view, 'behind')).toMatchObject({ code: 'RESERVATION_TERMINAL', attempts: 0 });
    const behind = flights.find(({ action }) => action === flight.behind)?.operation ?? '';
    expect(await acted(id, behind)).toEqual(behind === flight.operation ? ['applied'] : []);
  });
});

describe('L28: cancelled while its request is out, which is never answered', () => {
  it.each(moving)('$action stays unknown and is not sent again', async (flight) => {
    const id = neverAnswered.get(flight) ?? 0;
    const isGivenUp = (view: ReservationView) =>
      commandOf(view, 'in-flight')?.code === 'RESERVATION_TERMINAL';
    const view = await seen(id, 'was given up at its next try', isGivenUp);
    expect(commandOf(view, 'in-flight')).toMatchObject({ outcome: 'unknown', attempts: 1 });
    expect(await acted(id, flight.operation)).toEqual(['fault:hang']);
  });
});

describe('L14: the car is changed', { timeout: 60_000 }, () => {
  const steps: Action[] = [
    'dispatch.staff',
    'dispatch.start',
    'dispatch.parkingImage',
    'dispatch.carImage',
    'dispatch.complete',
  ];
  const photos = { 'dispatch.parkingImage': 'parkingImage', 'dispatch.carImage': 'carImage' } as const;

  async function changeCar(id: number): Promise<{ from: number; to: number }> {
    const { carId: from } = await parts.platform.truth(id);
    const to = from === 1004 ? 1003 : 1004;
    expect((await parts.platform.control('POST', `/reservations/${id}/car`, { carId: to })).status).toBe(200);
    return { from, to };
  }
  const timelineTextOf = async (id: number): Promise<string> => {
    const { body } = await parts.ask('GET', `/api/reservations/${id}/timeline?limit=500`);
    return JSON.stringify(body.items);
  };

  it.each(steps)('after %s', async (last) => {
    const done = steps.slice(0, steps.indexOf(last) + 1);
    const id = await prepared(5);
    for (const action of done) expect((await parts.sendAction(id, action)).status).toBe(200);
    const before = await parts.view(id);
    const { from, to } = await changeCar(id);
    const view = await seen(id, `has car ${to}`, ({ car }) => car?.id === to);
    expect(view.dispatch.staff).toEqual(before?.dispatch.staff);
    expect(view.status.code).toBe(before?.status.code);
    for (const [action, name] of Object.entries(photos))
      if (done.includes(action as Action)) expect(view.dispatch[name]).toMatchObject({ outdated: true });
    const text = await timelineTextOf(id);
    expect([text.includes(`${from}`), text.includes(`${to}`)]).toEqual([true, true]);
    if (done.at(-1) === 'dispatch.carImage') {
      const path = `/api/reservations/${id}/dispatch/complete`;
      const refused = await parts.ask('PUT', path, { key: `complete-${id}` });
      expect(refused).toMatchObject({ status: 409, body: { code: 'OUT_OF_ORDER' } });
    }
  });

  it('while a photo is on its way: the photo shows the old car and is outdated at once', async () => {
    const id = await prepared(10);
    await setFaults([
      { operation: 'dispatchCarImage', reservationId: id, effect: { kind: 'latency', ms: 4_000 } },
    ]);
    const acted = parts.sendAction(id, 'dispatch.carImage', 'in-flight');
    await eventually('the photo is at the platform', () => hasArrived('dispatchCarImage', id));
    const { to } = await changeCar(id);
    await seen(id, `has car ${to} while the photo is out`, (view) => view.car?.id === to && isOut(view));
    expect((await acted).status).toBe(200);
    expect((await parts.view(id))?.dispatch.carImage).toMatchObject({ outdated: true });
  });
});

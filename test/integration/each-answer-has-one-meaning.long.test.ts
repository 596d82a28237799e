import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Action, CommandView } from '../../src/domain/reservation/index.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { embeddedLane } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type HandoverParts, startHandoverParts } from '../support/handover-parts.js';

/**
 * L22-L30 over real HTTP: each way in which a call can end, for a command that sets the status and for two that must not
 * be sent twice. The sandbox plays the fault, its journal shows what reached the platform. No callback comes.
 */
interface Fault {
  name: string;
  /** What the sandbox does with the first call, and with those after it. */
  effects: object[];
  /** Sets the status: dispatch.start. */
  moving: Ending;
  /** A staff assignment and a photo. */
  once: Ending;
}
interface Ending {
  command: Partial<CommandView>;
  journal: string[];
}
const isUnknown = (code: string, attempts = 1): Ending['command'] => ({ outcome: 'unknown', code, attempts });
const isApplied = (attempts = 1, code: string | null = null): Ending['command'] => ({
  outcome: 'applied',
  settledBy: 'answer',
  attempts,
  code,
});
const isRejected = (code: string): Ending['command'] => ({ outcome: 'rejected', code, attempts: 1 });

/** It is not known whether it acted. */
const lost = (name: string, effect: { kind: string }, code: string): Fault[] => [
  {
    name: `${name}, the platform has acted`,
    effects: [{ ...effect, applied: true }],
    moving: {
      command: isUnknown('ILLEGAL_STATE', 2),
      journal: [`fault:${effect.kind}+applied`, 'refused:ILLEGAL_STATE'],
    },
    once: { command: isUnknown(code), journal: [`fault:${effect.kind}+applied`] },
  },
  {
    name: `${name}, the platform has not acted`,
    effects: [{ ...effect, applied: false }],
    moving: { command: isApplied(2), journal: [`fault:${effect.kind}`, 'applied'] },
    once: { command: isUnknown(code), journal: [`fault:${effect.kind}`] },
  },
];
const same = (ending: Ending) => ({ moving: ending, once: ending });

const faults: Fault[] = [
  ...lost('no answer in time', { kind: 'hang' }, 'TIMEOUT'),
  ...lost('a connection that breaks', { kind: 'reset' }, 'BROKEN'),
  ...lost('a 503', { kind: 'status', status: 503 } as { kind: string }, 'INTERNAL'),
  {
    name: 'a broken body',
    effects: [{ kind: 'broken-body' }],
    ...same({ command: isApplied(1, 'UNPARSED'), journal: ['fault:broken-body+applied'] }),
  },
  {
    name: 'a 404',
    effects: [{ kind: 'refuse', code: 'NOT_FOUND' }],
    ...same({ command: isRejected('NOT_FOUND'), journal: ['refused:NOT_FOUND'] }),
  },
  {
    name: 'another 4xx',
    effects: [{ kind: 'refuse', code: 'INVALID_REQUEST' }],
    ...same({ command: isRejected('INVALID_REQUEST'), journal: ['refused:INVALID_REQUEST'] }),
  },
  {
    name: 'a redirect',
    effects: [{ kind: 'status', status: 307, applied: false }],
    ...same({ command: isRejected('REDIRECTED'), journal: ['fault:status'] }),
  },
  {
    name: 'a 429',
    effects: [{ kind: 'refuse', code: 'RATE_LIMITED', retryAfterSeconds: 1 }],
    ...same({ command: isApplied(1), journal: ['refused:RATE_LIMITED', 'applied'] }),
  },
  {
    name: 'a refusal for its state',
    effects: [{ kind: 'refuse', code: 'ILLEGAL_STATE' }],
    ...same({ command: isRejected('ILLEGAL_STATE'), journal: ['refused:ILLEGAL_STATE'] }),
  },
];

const subjects: { action: Action; operation: string; from: number; kind: 'moving' | 'once' }[] = [
  { action: 'dispatch.start', operation: 'dispatchStart', from: 5, kind: 'moving' },
  { action: 'dispatch.staff', operation: 'dispatchStaff', from: 5, kind: 'once' },
  { action: 'dispatch.carImage', operation: 'dispatchCarImage', from: 10, kind: 'once' },
];
const cases = faults.flatMap((fault) => subjects.map((subject) => ({ ...subject, fault })));
type Case = (typeof cases)[number];
const idOf = new Map<Case, number>();
const commandIdOf = ({ action, fault }: Case) =>
  `${action} with ${fault.name}`.replaceAll(/[^a-z0-9]+/gi, '-');

const lane = embeddedLane();
let database: HandoverDatabase;
let parts: HandoverParts;
beforeAll(async () => {
  database = await lane.open();
  parts = await startHandoverParts(database, { worker: true, timeoutMs: 6_000 });
  await Promise.all(
    cases.map(async (one) => {
      const id = await parts.platform.booked();
      if (one.from === 10) await parts.platform.command('PUT', id, 'dispatch/start');
      idOf.set(one, id);
      await at(id, one.from);
    }),
  );
  await parts.platform.control('PUT', '/faults', {
    calls: cases.flatMap((one) =>
      one.fault.effects.map((effect) => ({ operation: one.operation, reservationId: idOf.get(one), effect })),
    ),
    callbacks: cases.map((one) => ({
      event: '*',
      reservationId: idOf.get(one),
      times: 100,
      effect: { kind: 'drop' },
    })),
  });
  await Promise.all(cases.map((one) => parts.sendAction(idOf.get(one) ?? 0, one.action, commandIdOf(one))));
}, 150_000);
afterAll(async () => {
  await parts?.stop();
  await database?.close();
}, 60_000);

const at = (id: number, status: number) =>
  eventually(
    `reservation ${id} is at ${status}`,
    async () => (await parts.view(id))?.status.code === status,
    60_000,
    200,
  );

async function commandOf(one: Case): Promise<CommandView | undefined> {
  const view = await parts.view(idOf.get(one) ?? 0);
  return view?.commands.find(({ commandId }) => commandId === commandIdOf(one));
}

async function journalOf(one: Case): Promise<string[]> {
  const filter = `reservationId=${idOf.get(one)}&operation=${one.operation}&kind=request`;
  const { body } = await parts.platform.control('GET', `/journal?${filter}`);
  return body.items.map(({ effect }: { effect: string }) => effect);
}

describe.each(faults)('$name', (fault) => {
  it.each(cases.filter((one) => one.fault === fault))('L24, L25, L30: $action', async (one) => {
    const { command, journal } = fault[one.kind];
    await expect.poll(() => commandOf(one)).toMatchObject(command);
    expect(await journalOf(one)).toEqual(journal);
  });
});

it('L23: a rejected action leaves the reservation open, and the next action acts', async () => {
  const rejected = cases.filter(
    ({ fault, kind }) => kind === 'moving' && fault.moving.command.outcome === 'rejected',
  );
  expect(rejected.length).toBeGreaterThan(2);
  for (const one of rejected) {
    const { status, body } = await parts.sendAction(idOf.get(one) ?? 0, one.action);
    expect({ status, code: body.status.code }).toEqual({ status: 200, code: 10 });
  }
});

it('a redirect is not followed: no other address is requested', async () => {
  const { body } = await parts.platform.control('GET', '/journal?kind=request&limit=500');
  const paths = body.items.map(({ path }: { path: string }) => path);
  expect(paths.filter((path: string) => path.includes('elsewhere'))).toEqual([]);
});

it('L29: an action that was refused because staff acted on the web site is applied once a callback shows it', async () => {
  const id = await parts.platform.booked();
  await at(id, 5);
  await parts.platform.control('PUT', '/faults', {
    callbacks: [{ event: '*', reservationId: id, times: 100, effect: { kind: 'drop' } }],
  });
  await parts.platform.command('PUT', id, 'dispatch/start');
  const refused = await parts.sendAction(id, 'dispatch.start', 'too-late');
  expect(refused).toMatchObject({ status: 409, body: { code: 'ILLEGAL_STATE' } });
  await parts.platform.control('POST', '/callbacks', {
    kind: 'status',
    body: { reservationId: id, reservationStatus: 10 },
  });
  await at(id, 10);
  expect((await parts.view(id))?.commands).toMatchObject([
    { outcome: 'applied', settledBy: 'callback', attempts: 1 },
  ]);
});

it('L26: while a call hangs, reads, refusals and callbacks are answered before it ends', async () => {
  const id = await parts.platform.booked();
  await at(id, 5);
  await parts.platform.control('PUT', '/faults', {
    calls: [{ operation: 'dispatchStaff', reservationId: id, effect: { kind: 'hang', applied: false } }],
  });
  let isOver = false;
  const hanging = parts.sendAction(id, 'dispatch.staff', 'hangs').finally(() => {
    isOver = true;
  });
  await eventually('the request is out', async () => {
    const { body } = await parts.platform.control('GET', '/faults');
    return body.calls[0].hits === 1;
  });
  expect((await parts.view(id))?.commands).toMatchObject([{ outcome: 'out' }]);
  const refused = await parts.ask('PUT', `/api/reservations/${id}/recall/complete`, { key: 'too-early' });
  expect(refused).toMatchObject({ status: 409, body: { code: 'STATUS_BEHIND' } });
  await parts.platform.command('PUT', id, 'dispatch/start');
  await at(id, 10);
  expect((await parts.view(id))?.commands).toMatchObject([{ outcome: 'out' }]);
  expect(isOver).toBe(false);
  expect((await hanging).status).toBe(202);
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as lifecycle from '../../../src/lifecycle/index.js';
import { hour, origin, Story, whole } from '../../support/reservation-story.js';

const codes = [5, 10, 15, 20, 25, 30, 35, 40, 45, 50];
const terminals = [45, 50, 40, 35];
const answers: lifecycle.Answer[] = [
  { kind: 'accepted' },
  { kind: 'accepted', unparsed: true },
  { kind: 'refused', code: 'ILLEGAL_STATE', message: 'not now', forState: true },
  { kind: 'refused', code: 'NOT_FOUND', message: 'nobody', forState: false },
  { kind: 'wait', code: 'RATE_LIMITED' },
  { kind: 'suspended', code: 'UNAUTHORIZED' },
  { kind: 'unknown', code: 'TIMEOUT' },
];

type Deed = (story: Story) => void;
const parts = fc.record(
  {
    period: fc
      .record({ start: fc.integer({ min: 0, max: 30 }), end: fc.integer({ min: 0, max: 60 }) })
      .map(({ start, end }) => ({ start: origin + start * hour, end: origin + end * hour })),
    car: fc.record({ id: fc.integer({ min: 1, max: 4 }), number: fc.constantFrom('12가3456', null) }),
    companion: fc.constantFrom(null, { name: 'Lee' }),
    changedAt: fc.integer({ min: 0, max: 60 }).map((hours) => origin + hours * hour),
    parking: fc.record({ imageUrl: fc.constantFrom('https://p.example/1', 'https://p.example/2') }),
  },
  { requiredKeys: [] },
);
const callback: fc.Arbitrary<Deed> = fc
  .tuple(
    fc.constantFrom('registration', 'update', 'status', 'car') as fc.Arbitrary<lifecycle.EventChannel>,
    fc.constantFrom(...codes, 99),
    parts,
  )
  .map(([channel, status, rest]) => (story) => {
    const event = channel === 'car' ? { car: whole.car, ...rest } : { status, ...rest };
    const { verdict, inboxId } = story.observe(story.event(channel, event));
    expect(inboxId).toBeGreaterThan(0);
    expect(verdict).toMatch(/^(applied|duplicate|stale|after-terminal|conflict|unknown-status)$/);
  });
const press: fc.Arbitrary<Deed> = fc.constantFrom(...lifecycle.actions).map((action) => (story) => {
  const override = { reason: 'a person said so' };
  if (story.refusal(action, { override }) === null) story.accept(action, { override });
});
const exchange: fc.Arbitrary<Deed> = fc.constantFrom(...answers).map((answer) => (story) => {
  const attempt = story.send();
  if (attempt === null) return;
  expect(story.state.commands.filter(({ state }) => state === 'out')).toHaveLength(1);
  story.answer(attempt.commandId, answer);
});
const pass: fc.Arbitrary<Deed> = fc.integer({ min: 1, max: 20 * hour }).map((ms) => (story) => {
  story.at(story.now + ms);
});
const deeds = fc.array(fc.oneof(callback, callback, press, exchange, pass), { maxLength: 40 });

function holds(check: (story: Story, before: lifecycle.ReservationState) => void, numRuns = 60): void {
  fc.assert(
    fc.property(deeds, (list) => {
      const story = new Story();
      for (const deed of list) {
        const before = story.state;
        deed(story);
        check(story, before);
      }
    }),
    { numRuns },
  );
}

it('state survives JSON, and no function changes what it is given', () => {
  // Story freezes every state and event it hands in.
  holds(({ state }) => expect(JSON.parse(JSON.stringify(state))).toEqual(state));
});

it('after a look at the clock the next deadline lies ahead, and looking again changes nothing', () => {
  holds((story) => {
    story.at(story.now);
    const next = story.nextDeadline;
    expect(next === null || next > story.now).toBe(true);
    expect(lifecycle.wake(story.state, story.now)).toEqual({ state: story.state, entries: [] });
  });
});

it('a reservation left alone comes to rest', () => {
  fc.assert(
    fc.property(deeds, (list) => {
      const story = new Story();
      for (const deed of list) deed(story);
      let looks = 0;
      for (let next = story.nextDeadline; next !== null; next = story.nextDeadline) {
        story.at(Math.max(next, story.now));
        const attempt = story.send();
        if (attempt !== null) story.answer(attempt.commandId, { kind: 'unknown', code: 'TIMEOUT' });
        looks += 1;
        expect(looks).toBeLessThan(5_000);
      }
    }),
    { numRuns: 30 },
  );
});

it('L03, L08: the status never goes back, and a terminal is left for another terminal only', () => {
  holds((story, before) => {
    const was = lifecycle.listFacts(before).status;
    const is = lifecycle.listFacts(story.state).status;
    if (was === null) return;
    const order = [5, 10, 15, 20, 25, 30, ...terminals];
    expect(order.indexOf(is ?? 0)).toBeGreaterThanOrEqual(order.indexOf(was));
  });
});

it('timeline numbers are 1, 2, 3 … and views can always be made', () => {
  holds((story) => {
    expect(story.entries.map(({ seq }) => seq)).toEqual(story.entries.map((_, index) => index + 1));
    expect(story.outlook.details).toContain('**');
  });
});

it('each attention kind is shown once', () => {
  holds((story) => expect(new Set(story.kinds).size).toBe(story.kinds.length));
});

it('a busy reservation stays below 64 KB', () => {
  const story = new Story();
  story.registered();
  for (let round = 0; round < 300; round++) {
    const url = `https://photos.example/${'x'.repeat(80)}/${round}`;
    story.updated(10, {
      eventId: `msg_${'e'.repeat(40)}${round}`,
      period: { start: origin, end: origin + round * hour },
      car: { id: round, number: '12가3456' },
      parking: { imageUrl: url, memo: `${'memo '.repeat(10)}${round}` },
      driver: {
        name: `Kim ${round}`,
        birth: '19900101',
        phone: '01012345678',
        licenseNumber: '11-22',
        address: 'Seoul',
      },
    });
    story.carChanged(round, round + 1);
    story.press(
      'dispatch.carImage',
      { kind: 'accepted' },
      { commandId: `00000000-0000-4000-8000-${round}`, override: { reason: 'again' } },
    );
  }
  expect(JSON.stringify(story.state).length).toBeLessThan(64 * 1024);
});

it('L26: an open command is never dropped, the newest 64 settled ones are kept', () => {
  const story = new Story();
  story.registered();
  const lost = story.press('dispatch.staff', { kind: 'unknown', code: 'TIMEOUT' });
  const ids = Array.from({ length: 70 }, () => story.press('dispatch.staff'));
  expect(lifecycle.knownCommand(story.state, lost)?.outcome).toBe('unknown');
  expect(ids.filter((id) => lifecycle.knownCommand(story.state, id) !== null)).toEqual(ids.slice(-64));
});

import fc from 'fast-check';
import { expect } from 'vitest';
import * as lifecycle from '../../src/domain/reservation/index.js';
import type { Outcome } from '../../src/domain/shared/outcome.js';
import { deepFreeze, hour, origin, type Story, whole } from './reservation-story.js';

const codes = [5, 10, 15, 20, 25, 30, 35, 40, 45, 50];
const answers: lifecycle.Answer[] = [
  { outcome: 'applied' },
  { outcome: 'applied', unparsed: true },
  { outcome: 'rejected', code: 'ILLEGAL_STATE', message: 'not now' },
  { outcome: 'rejected', code: 'NOT_FOUND', message: 'absent' },
  { outcome: 'held-back', code: 'RATE_LIMITED' },
  { outcome: 'held-back', code: 'UNAUTHORIZED' },
  { outcome: 'unknown', code: 'TIMEOUT' },
];

/** Something that happens to a reservation. */
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
const acts: fc.Arbitrary<Deed> = fc.constantFrom(...lifecycle.actions).map((action) => (story) => {
  const override = { reason: 'a person said so' };
  const parts = { override, ...(action === 'recall.complete' && { body: { note: 'a scratch' } }) };
  if (story.refusal(action, parts) === null) story.accept(action, parts);
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
const said = { reason: 'a person said so', by: 'manager' };
const settle: fc.Arbitrary<Deed> = fc.constantFrom('applied', 'rejected').map((outcome) => (story) => {
  const commandId = story.view.commands.find((one) => one.outcome === 'unknown')?.commandId ?? 'none';
  if (lifecycle.checkResolve(story.state, { commandId }) !== null) return;
  story.take(lifecycle.resolveCommand(story.state, { commandId, outcome, ...said }, story.now));
});
const resolve: fc.Arbitrary<Deed> = fc.constantFrom(...lifecycle.attentionKinds).map((kind) => (story) => {
  if (lifecycle.checkResolveAttention(story.state, kind) !== null) return;
  story.take(lifecycle.resolveAttention(story.state, { kind, ...said }, story.now));
});
const assertion: fc.Arbitrary<Deed> = fc
  .record(
    {
      status: fc.constantFrom(...codes),
      carId: fc.integer({ min: 1, max: 4 }),
      endAt: fc.integer({ min: 0, max: 60 }).map((hours) => origin + hours * hour),
    },
    { requiredKeys: [] },
  )
  .map((facts) => (story) => {
    if (lifecycle.checkAssert(story.state, { ...facts, ...said }) !== null) return;
    story.take(lifecycle.assertFacts(story.state, deepFreeze({ ...facts, ...said }), story.now));
  });
const looks: lifecycle.LookAheadAnswer[] = [
  { kind: 'failed', code: 'UNAVAILABLE' },
  { kind: 'seen', next: null, candidates: null },
  ...[1, 12].map((hours) => ({
    kind: 'seen' as const,
    next: { scheduleId: 7, type: 'R' as const, start: origin + hours * hour, end: origin + 40 * hour },
    candidates: [{ id: 9, number: null }],
  })),
];
const lookAhead: fc.Arbitrary<Deed> = fc.constantFrom(...looks).map((answer) => (story) => {
  const { lookAhead } = story.outlook;
  if (lookAhead !== null)
    story.take(lifecycle.applyLookAhead(story.state, lookAhead, deepFreeze(answer), story.now));
});
const noteAnswers: Outcome<{ memoId: number }>[] = [
  { outcome: 'applied', memoId: 5 },
  { outcome: 'unknown', code: 'TIMEOUT' },
  { outcome: 'held-back', code: 'RATE_LIMITED' },
];
const writeNote: fc.Arbitrary<Deed> = fc.constantFrom(...noteAnswers).map((answer) => (story) => {
  const { note } = story.outlook;
  if (note !== null) story.take(lifecycle.applyNoteAnswer(story.state, note.commandId, answer, story.now));
});
const entry = fc
  .record({
    scheduleId: fc.integer({ min: 1, max: 3 }),
    carId: fc.integer({ min: 1, max: 4 }),
    start: fc.integer({ min: 0, max: 30 }),
    end: fc.integer({ min: 31, max: 60 }),
  })
  .map(({ start, end, ...rest }) => ({ ...rest, start: origin + start * hour, end: origin + end * hour }));
const readSchedule: fc.Arbitrary<Deed> = fc
  .tuple(fc.option(entry), fc.array(entry, { maxLength: 2 }), fc.boolean(), fc.integer({ min: 0, max: hour }))
  .map(([own, candidates, confirmed, agoMs]) => (story) => {
    const at = story.now - agoMs;
    const evidence = deepFreeze({ at, entry: own, candidates: own === null ? candidates : [], confirmed });
    story.take(lifecycle.corroborate(story.state, evidence, story.now));
  });
const booked: fc.Arbitrary<Deed> = fc
  .record({
    commandId: fc.constantFrom('b-1', 'b-2'),
    settledBy: fc.constantFrom('answer' as const, 'callback' as const, 'person' as const),
    hours: fc.integer({ min: 0, max: 30 }),
    pickupAddress: fc.constantFrom('Station exit 3', '가'.repeat(600)),
  })
  .map(({ hours, ...parts }) => (story) => {
    const start = origin + hours * hour;
    const answer = parts.settledBy === 'answer' ? '20' : null;
    const driver = { name: 'A', birth: '19900101', phone: '01012345678', licenseNumber: '11', address: 'B' };
    story.book({
      ...parts,
      by: 'dana',
      at: story.now,
      status: answer,
      carNumber: answer,
      productId: 7,
      driver,
      period: { start, end: start + 20 * hour },
      companion: null,
    });
  });
const restore: fc.Arbitrary<Deed> = fc.constant((story) => {
  story.take(lifecycle.restoreRole(story.state, story.now));
});
const otherPolicy: fc.Arbitrary<Deed> = fc.integer({ min: 1, max: 5 }).map((hours) => (story) => {
  const policy = deepFreeze({ ...story.state.policy, dispatchLeadMs: hours * hour });
  story.take({ state: lifecycle.withPolicy(story.state, policy), entries: [] });
});
const byPeople = fc.oneof(settle, resolve, assertion);
/** Up to 40 things that happen, in any order, each through the lifecycle's own functions. */
export const deeds = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: callback },
    { weight: 3, arbitrary: acts },
    { weight: 3, arbitrary: exchange },
    { weight: 3, arbitrary: pass },
    { weight: 2, arbitrary: byPeople },
    { weight: 2, arbitrary: readSchedule },
    { weight: 1, arbitrary: booked },
    { weight: 1, arbitrary: restore },
    { weight: 2, arbitrary: lookAhead },
    { weight: 1, arbitrary: writeNote },
    { weight: 1, arbitrary: otherPolicy },
  ),
  { maxLength: 40 },
);

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { applyNoteAnswer, assertFacts } from '../../../../src/domain/reservation/index.js';
import { deeds } from '../../../support/random-stories.js';
import { hour, origin, photo, Story } from '../../../support/reservation-story.js';

const most = 64 * 1024;
const korean = (letters: number, round: number) =>
  `${round} ${'가나다라마바사아자차'.repeat(100)}`.slice(0, letters);
const override = (round: number) => ({ reason: korean(500, round) });

function bytesOf({ state }: Story): number {
  return Buffer.byteLength(JSON.stringify(state));
}
/** 300 rounds of everything that changes, with texts as long as the interface takes them. */
function busy(sendActions: (story: Story, round: number) => void): Story {
  const story = new Story();
  story.registered();
  for (let round = 0; round < 300; round++) {
    story.updated(10, {
      eventId: `msg_${'e'.repeat(400)}${round}`,
      period: { start: origin, end: origin + round * hour },
      car: { id: round, number: korean(100, round) },
      company: { id: round, name: korean(1_000, round) },
      service: { id: round, name: korean(1_000, round) },
      pickupAddress: korean(1_000, round),
      pickupMemo: korean(1_000, round),
      parking: { imageUrl: `https://photos.example/${'x'.repeat(150)}/${round}`, memo: korean(1_000, round) },
      driver: {
        name: korean(1_000, round),
        birth: korean(1_000, round),
        phone: korean(1_000, round),
        licenseNumber: korean(1_000, round),
        address: korean(1_000, round),
      },
      companion: {
        name: korean(1_000, round),
        phone: korean(1_000, round),
        birth: korean(1_000, round),
        licenseNumber: korean(1_000, round),
      },
    });
    story.carChanged(round, round + 1);
    sendActions(story, round);
  }
  return story;
}

it('256 event ids, 16 car changes, 64 commands with overrides and long Korean texts everywhere stay below 64 KB', {
  timeout: 60_000,
}, () => {
  const story = busy((one, round) => {
    one.sendAction(
      'dispatch.parkingImage',
      round % 2 === 0
        ? { outcome: 'applied' }
        : { outcome: 'rejected', code: 'NOT_FOUND'.repeat(40), message: korean(5_000, round) },
      {
        commandId: `00000000-0000-4000-8000-${`${round}`.padStart(12, '0')}`,
        override: override(round),
        body: { photo, parkingMemo: korean(1_000, round) },
      },
    );
  });
  expect(story.state.seen).toHaveLength(256);
  expect(story.state.carChanges).toHaveLength(16);
  expect(story.state.commands).toHaveLength(64);
  expect(bytesOf(story)).toBeLessThan(most);
});

it('the largest number of open commands, with long texts, stays below 64 KB too', {
  timeout: 60_000,
}, () => {
  const story = busy((one, round) => {
    const parts = { override: override(round), body: { parkingMemo: korean(1_000, round) } };
    if (one.refusal('dispatch.complete', parts) === null)
      one.sendAction('dispatch.complete', { outcome: 'unknown', code: 'TIMEOUT' }, parts);
  });
  expect(story.refusal('dispatch.staff', { override: override(1) })?.code).toBe('TOO_MANY_OPEN_COMMANDS');
  expect(bytesOf(story)).toBeLessThan(most);
});

it('F59: notes that are not memos yet, with long texts and beside everything else, add 4 KB at most', {
  timeout: 60_000,
}, () => {
  const story = busy((one, round) => {
    one.sendAction(
      'dispatch.parkingImage',
      { outcome: 'unknown', code: 'TIMEOUT' },
      { override: override(round) },
    );
  });
  for (let round = 0; round < 12; round++) one(story, round);
  expect(story.state.notes).toHaveLength(2);
  expect(story.view.recall.note?.text).toHaveLength(1_000);
  expect(bytesOf(story)).toBeLessThan(most + 4 * 1024);

  function one(late: Story, round: number): void {
    const back = { status: 30, reason: korean(500, round), by: 'manager' };
    late.take(assertFacts(late.state, back, late.now));
    const noted = { override: override(round), body: { note: korean(1_000, round) } };
    if (late.refusal('recall.complete', noted) !== null) return;
    late.sendAction('recall.complete', { outcome: 'applied' }, noted);
    const { note } = late.at(late.now).outlook;
    if (note === null) return;
    const refused = { outcome: 'rejected', code: 'NOT_FOUND', message: 'no such car' } as const;
    late.take(applyNoteAnswer(late.state, note.commandId, refused, late.now));
  }
});

it('the newest commands have their reasons in full, and so do the newest decisions', () => {
  const story = new Story();
  story.registered();
  for (let round = 0; round < 20; round++) {
    story.sendAction('dispatch.staff', { outcome: 'applied' }, { override: override(round) });
  }
  const reasons = story.view.commands.map((one) => one.override?.reason);
  expect(reasons.at(-1)).toBe(override(19).reason);
  expect(reasons.at(-3)).toBe(override(17).reason);
  expect(reasons[0]).toBe('…');
});

it('a text of the platform that is longer than 1,000 letters is cut in the view', () => {
  const story = new Story();
  story.updated(10, { pickupMemo: 'x'.repeat(5_000) });
  expect(story.view.pickup.memo).toBe(`${'x'.repeat(999)}…`);
});

it('random stories stay below 64 KB at every point', { timeout: 30_000 }, () => {
  fc.assert(
    fc.property(deeds, (list) => {
      const story = new Story();
      for (const deed of list) {
        deed(story);
        expect(bytesOf(story)).toBeLessThan(most);
      }
    }),
    { numRuns: 40 },
  );
});

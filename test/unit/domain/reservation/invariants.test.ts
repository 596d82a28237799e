import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as lifecycle from '../../../../src/domain/reservation/index.js';
import { deeds } from '../../../support/random-stories.js';
import { Story } from '../../../support/reservation-story.js';

const terminals = [45, 50, 40, 35];

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

it('after the due deadlines are applied the next one lies ahead, and a second application changes nothing', {
  timeout: 30_000,
}, () => {
  holds((story) => {
    story.at(story.now);
    const next = story.nextDeadline;
    expect(next === null || next > story.now).toBe(true);
    expect(lifecycle.wake(story.state, story.now)).toEqual({ state: story.state, entries: [] });
  });
});

it('a reservation without input reaches a final state', { timeout: 30_000 }, () => {
  fc.assert(
    fc.property(deeds, (list) => {
      const story = new Story();
      for (const deed of list) deed(story);
      let looks = 0;
      for (let next = story.nextDeadline; next !== null; next = story.nextDeadline) {
        story.at(Math.max(next, story.now));
        const attempt = story.send();
        if (attempt !== null) story.answer(attempt.commandId, { outcome: 'unknown', code: 'TIMEOUT' });
        looks += 1;
        expect(looks).toBeLessThan(5_000);
      }
    }),
    { numRuns: 30 },
  );
});

it('L03, L08: no callback, command or passing time moves the status back; a terminal changes to another terminal only', {
  timeout: 30_000,
}, () => {
  holds((story, before) => {
    const was = lifecycle.listFacts(before).status;
    const is = lifecycle.listFacts(story.state).status;
    // only a person's word takes it back
    if (was === null || story.state.decisions.length > before.decisions.length) return;
    const order = [5, 10, 15, 20, 25, 30, ...terminals];
    expect(order.indexOf(is ?? 0)).toBeGreaterThanOrEqual(order.indexOf(was));
  });
});

it('timeline numbers are 1, 2, 3 … and every state has a view', { timeout: 30_000 }, () => {
  holds((story) => {
    expect(story.entries.map(({ seq }) => seq)).toEqual(story.entries.map((_, index) => index + 1));
    expect(story.outlook.details).toContain('**');
  });
});

it('each attention kind is shown once', { timeout: 30_000 }, () => {
  holds((story) => expect(new Set(story.kinds).size).toBe(story.kinds.length));
});

it('L26: an open command is never dropped; beside it the newest commands are stored, 64 in all', () => {
  const story = new Story();
  story.registered();
  const lost = story.sendAction('dispatch.staff', { outcome: 'unknown', code: 'TIMEOUT' });
  const ids = Array.from({ length: 70 }, () => story.sendAction('dispatch.staff'));
  expect(lifecycle.knownCommand(story.state, lost)?.outcome).toBe('unknown');
  expect(ids.filter((id) => lifecycle.knownCommand(story.state, id) !== null)).toEqual(ids.slice(-63));
});

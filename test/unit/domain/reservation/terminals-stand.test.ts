import { describe, expect, it } from 'vitest';
import { Story } from '../../../support/reservation-story.js';

const whatIsLegal: [terminal: number, rungs: number[]][] = [
  [35, [5, 10, 15, 20, 25, 30]],
  [40, [5, 10, 15]],
  [45, [5, 10, 15]],
  [50, [5]],
];
const rungs = [5, 10, 15, 20, 25, 30];
const terminals = [35, 40, 50, 45];

describe.each(whatIsLegal)('L08: after %i', (terminal, legal) => {
  it.each(legal)('%i is stale: its history contains it', (rung) => {
    const story = new Story();
    story.status(terminal);
    expect(story.status(rung)).toMatchObject({ verdict: 'stale', rule: 'L08' });
    expect(story.view.status.code).toBe(terminal);
    expect(story.kinds).not.toContain('terminal-contradiction');
  });

  const impossible = rungs.filter((rung) => !legal.includes(rung));
  it.each(impossible)('%i contradicts it: the terminal stays, in either order', (rung) => {
    const after = new Story();
    after.status(terminal);
    after.status(rung);
    const before = new Story();
    before.status(rung);
    before.status(terminal);
    for (const story of [after, before]) {
      expect(story.view.status.code).toBe(terminal);
      expect(story.kinds[0]).toBe('terminal-contradiction');
    }
  });

  it('fields of a late event fill gaps and change no known value', () => {
    const story = new Story();
    story.updated(terminal, { car: { id: 13, number: null } });
    story.updated(5, { pickupMemo: 'gate 2', car: { id: 12, number: null } });
    expect(story.view).toMatchObject({
      status: { code: terminal },
      car: { id: 13 },
      pickup: { memo: 'gate 2' },
    });
  });
});

const pairs = terminals.flatMap((a, index) => terminals.slice(index + 1).map((b) => [a, b] as const));

it.each(pairs)('L09: of %i and %i the first is shown, in either order', (shown, other) => {
  const harmless = shown === 40 && other === 45;
  for (const [first, second] of [[shown, other] as const, [other, shown] as const]) {
    const story = new Story();
    story.registered();
    story.updated(first);
    story.updated(second);
    expect(story.view.status.code).toBe(shown);
    expect(story.view.marks).toEqual(harmless ? [] : ['conflict']);
    expect(story.kinds.includes('conflict')).toBe(!harmless);
  }
});

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdEn } from '../../../src/domain/hold/messages/en.js';
import { identityOf } from '../../../src/domain/reservation/entry-identity.js';
import * as lifecycle from '../../../src/domain/reservation/index.js';
import { en } from '../../../src/domain/reservation/messages/en/index.js';
import type { Message, Sentence } from '../../../src/domain/shared/message.js';
import { expectBothLanguages } from '../../support/both-languages.js';
import { deeds } from '../../support/random-stories.js';
import { Story } from '../../support/reservation-story.js';
import { inEnglish, inKorean } from '../../support/sentences.js';

interface Recorded extends lifecycle.TimelineEntry {
  identity: string;
  messages: Message[];
}
/** Entries as 0.3.0 wrote them, with the messages of today: a text once stored is never made otherwise. */
const recorded: Recorded[] = readFileSync(
  new URL('./reservation/entries-of-0.3.jsonl', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

const start = Date.UTC(2026, 10, 21);
const end = start + 3_600_000;
const action = 'dispatch.start';
const next = { scheduleId: 77, type: 'R', start, end, reservationId: 9 } as const;
/** Of sentences that the recorded entries do not have. */
const samples: Message[] = [
  { code: 'event.late', data: { channel: 'status', status: 20, replayed: true, ended: 45 } },
  { code: 'event.late', data: { channel: 'car', status: null, replayed: false, ended: null } },
  ...(['R', 'S'] as const).flatMap((type) =>
    [true, false].map((isLate) => ({
      code: 'attention.next-in-danger',
      data: {
        atRisk: {
          next: { ...next, type },
          isLate,
          candidates: isLate ? null : [{ id: 12, number: '12가3456' }],
          at: isLate ? end : start - 60_000,
        },
      },
    })),
  ),
  { code: 'attention.next-in-danger', data: { atRisk: null } },
  { code: 'attention.schedule-missing', data: { carId: 12, start } },
  { code: 'attention.schedule-missing', data: { carId: null, start: null } },
  { code: 'attention.schedule-differs', data: { entry: null } },
  { code: 'attention.not-announced', data: {} },
  { code: 'attention.note-not-kept', data: {} },
  { code: 'ahead.failed', data: { carId: 12, code: 'TIMEOUT' } },
  ...(['pending', 'applied', 'rejected', 'unknown'] as const).map((outcome) => ({
    code: 'note',
    data: { carId: 12, outcome, memoId: outcome === 'applied' ? 5 : null, code: 'TIMEOUT' },
  })),
  ...(
    [
      'applied',
      'unreadable',
      'rejected',
      'refused-late',
      'not-sent',
      'not-accepted',
      'forbidden',
      'no-key',
      'unknown',
      'unknown-once',
      'unknown-too-late',
    ] as const
  ).map((how) => ({
    code: 'command.attempted',
    data: { action, end: how, code: 'TIMEOUT', doubtful: true, attempt: 2, nextTryAt: end },
  })),
  { code: 'command.key-works', data: { action } },
  {
    code: 'command.given-up',
    data: { action, outcome: 'unknown', why: { code: 'command.time-over', data: {} } },
  },
  { code: 'command.forbidden', data: {} },
  { code: 'platform.refused', data: { code: 'E011', text: 'addSchedule: the period overlaps (E011)' } },
  { code: 'refused.terminal', data: { action, status: 45 } },
  { code: 'refused.past', data: { action, status: 20 } },
  { code: 'refused.role-off', data: { action } },
  { code: 'refused.behind', data: { action, status: 5, allowed: [10, 15] } },
  { code: 'refused.behind', data: { action, status: null, allowed: [10] } },
  { code: 'refused.photo-missing', data: { action } },
  { code: 'refused.out-of-order', data: { action, missing: ['dispatch.staff', 'recall.carImage'] } },
  ...(['applied', 'out'] as const).map((outcome) => ({
    code: 'refused.command-settled',
    data: { outcome },
  })),
  { code: 'refused.attention-not-found', data: { kind: 'return-late' } },
  ...[
    'refused.key-reused',
    'refused.command-not-found',
    'refused.period-incomplete',
    'refused.period-reversed',
    'refused.nothing-asserted',
    'refused.timeline-waits',
    'refused.too-many-open',
    'refused.no-events',
    'refused.closed',
  ].map((code) => ({ code, data: {} })),
  ...Object.keys(holdEn).map((code) => ({
    code,
    data: { holdId: 'h-1', why: 'carNumber: expected string', count: 3, first: null, more: 0 },
  })),
  ...(['R', 'S'] as const).flatMap((type) =>
    [null, 'h-9'].map((holdId) => ({
      code: 'hold.in-the-way',
      data: { first: { scheduleId: 5, type, holdId }, more: 2 },
    })),
  ),
];

describe('a sentence', () => {
  it('has an example for each code', () => {
    const shown = [...samples, ...recorded.flatMap(({ messages }) => messages)].flatMap(codesIn);
    expect(new Set(shown)).toEqual(new Set([...Object.keys(en), ...Object.keys(holdEn)]));
  });

  it.each(samples.map((sample) => [sample.code, sample] as const))(
    '%s names the same in both languages',
    (_, sample) => expectBothLanguages(sample),
  );

  it('of a code that this version does not know is the code', () => {
    expect(inKorean({ code: 'moved.planet', data: {} })).toBe('moved.planet');
    expect(inKorean({ code: 'toString', data: {} })).toBe('toString');
  });

  it('without a code is shown as it is', () => {
    expect([inEnglish('the text of 0.3.0'), inKorean('the text of 0.3.0')]).toEqual([
      'the text of 0.3.0',
      'the text of 0.3.0',
    ]);
  });
});

describe('the timeline', () => {
  it.each(recorded.map((entry) => [entry.text.slice(0, 60), entry] as const))(
    'has the text and the identity that 0.3.0 stored: %s',
    (_, { identity, messages, text, ...entry }) => {
      expect(messages.map(inEnglish).join(' ')).toBe(text);
      expect(identityOf({ ...entry, messages, text })).toBe(identity);
      messages.forEach(expectBothLanguages);
    },
  );

  it('of any story is the same in both languages, and its English text is that of its messages', () => {
    fc.assert(
      fc.property(deeds, (story) => {
        const played = new Story();
        for (const deed of story) deed(played);
        for (const { messages = [], text } of played.entries) {
          expect(messages.length).toBeGreaterThan(0);
          expect(messages.map(inEnglish).join(' ')).toBe(text);
          messages.forEach(expectBothLanguages);
        }
        const { attention, commands } = lifecycle.view(played.state, played.now);
        for (const { message } of [...attention, ...commands]) {
          if (typeof message === 'object' && message !== null) expectBothLanguages(message);
        }
      }),
      { numRuns: 40 },
    );
  });
});

function codesIn({ code, data }: Message): string[] {
  const { why } = data as { why?: Sentence };
  return [code, ...(typeof why === 'object' ? codesIn(why) : [])];
}

import { describe, expect, it } from 'vitest';
import { leadOf } from '../../../console/api/problem.js';
import { holdEn } from '../../../src/domain/hold/messages/en.js';
import { notAllowed } from '../../../src/domain/reservation/messages/en/not-allowed.js';
import { refusals } from '../../../src/domain/reservation/messages/en/refusals.js';
import type { Message } from '../../../src/domain/shared/message.js';
import { inEnglish, inKorean } from '../../support/sentences.js';

const title = '다른 사람이 담당하는 확인 항목입니다';
const data = {
  action: 'dispatch.start',
  status: 20,
  allowed: [10],
  missing: ['dispatch.staff'],
  outcome: 'applied',
  kind: 'return-late',
  holdId: 'h-1',
  why: { code: 'platform.refused', data: { code: 'E011', text: 'addSchedule: the period overlaps' } },
  count: 3,
  first: { scheduleId: 5, type: 'S', holdId: 'h-9' },
  more: 2,
};
/** Sentences of refusals that have both languages. */
const sentences: Message[] = [
  ...Object.keys({ ...refusals, ...notAllowed, ...holdEn }).map((code) => ({ code, data })),
  data.why,
];

describe('what stands before the detail of a refusal, for a reader of Korean', () => {
  it.each(sentences.map((one) => [one.code, one] as const))('is nothing where it is Korean: %s', (_, one) => {
    expect(leadOf({ title, detail: inKorean(one) }, 'ko')).toBe('');
  });

  it.each([
    ...sentences.map(inEnglish),
    'Another person has this item. Agree with them, then claim it in their place.',
    'The reservation is at 20 (운행 중): its car is shown from 15 until the return at 30.',
    'name: expected a name of 1 to 200 letters',
  ])('is the title where it is English: %s', (detail) => {
    expect(leadOf({ title, detail }, 'ko')).toBe(`${title}. `);
  });

  it('is nothing where the refusal has no title', () => {
    expect(leadOf({ title: '', detail: 'no' }, 'ko')).toBe('');
  });
});

it('a reader of English reads the detail alone', () => {
  expect(leadOf({ title: 'Another person has the item', detail: 'Agree with them.' }, 'en')).toBe('');
});

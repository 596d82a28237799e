import { expect } from 'vitest';
import type { Message } from '../../src/domain/shared/message.js';
import { inEnglish, inKorean } from './sentences.js';

/** Codes, ids and times in a sentence. */
function tokensOf(text: string): string[] {
  const found = text.match(/\[hold [^\]]+\]|[A-Z][A-Z0-9]*_[A-Z0-9_]+|E\d{3}|\d[\d:.T+-]*\d|\d|h-\d/g) ?? [];
  return [...new Set(found)].sort();
}
/** Names and ids that both languages show as they are. */
const namesIn = ({ data }: Message) => {
  const { by, code, holdId } = data as Record<string, unknown>;
  return [by, code, holdId].filter((name) => typeof name === 'string');
};

/** Both languages have it, with the same codes, ids, numbers and names. */
export function expectBothLanguages(message: Message): void {
  const [english, korean] = [inEnglish(message), inKorean(message)];
  for (const text of [english, korean]) expect(text).not.toMatch(/undefined|\[object|NaN|function/);
  expect(korean, english).toMatch(/[가-힣]/);
  expect(korean, english).not.toBe(english);
  expect(tokensOf(korean), english).toEqual(expect.arrayContaining(tokensOf(english)));
  for (const name of namesIn(message)) if (english.includes(name)) expect(korean).toContain(name);
}

import { signal } from '@preact/signals';
import { readPreference, writePreference } from '../state/preferences.js';
import { en } from './en.js';
import { ko } from './ko.js';

export type Text = keyof typeof en;
const languages = { en, ko } as const;
export type Language = keyof typeof languages;
export const languageNames: Record<Language, string> = { en: 'English', ko: '한국어' };

/** The language of this user: chosen, or the browser's. */
export const language = signal<Language>(
  readPreference('language', ['en', 'ko']) ?? (navigator.language.startsWith('ko') ? 'ko' : 'en'),
);

export function setLanguage(chosen: Language): void {
  language.value = chosen;
  writePreference('language', chosen);
}

/** A text in the user's language; `{name}` in it is replaced. Components that call it render again on a change. */
export function t(text: Text, values: Record<string, string | number> = {}): string {
  return languages[language.value][text].replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''));
}

/** The text of a code, such as a status or an attention kind; a code that has no text is shown itself. */
export function textOf(prefix: string, code: string | number): string {
  const key = `${prefix}.${code}`;
  return key in en ? t(key as Text) : String(code);
}

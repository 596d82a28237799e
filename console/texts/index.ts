import { batch, signal } from '@preact/signals';
import { readPreference, writePreference } from '../state/preferences.js';
import type { en } from './en.js';
import { unpack } from './unpack.js';

export type Text = keyof typeof en;
type Texts = Record<Text, string>;

/** Each language is a file of its own: a browser loads the one that its user reads. */
const files = {
  en: async (): Promise<Texts> => unpack((await import('./en.js')).en),
  ko: async (): Promise<Texts> => unpack((await import('./ko.js')).ko),
};
export type Language = keyof typeof files;
export const languageNames: Record<Language, string> = { en: 'English', ko: '한국어' };

/** The language of this user: chosen, or the browser's. */
export const language = signal<Language>(
  readPreference('language', ['en', 'ko']) ?? (navigator.language.startsWith('ko') ? 'ko' : 'en'),
);

/** Null: not loaded yet. */
const texts = signal<Texts | null>(null);

/** Loads the texts; nothing is shown before. */
export async function loadTexts(): Promise<void> {
  texts.value = await files[language.value]();
}

/** The page changes once the texts are there; without a connection the language stays. */
export async function setLanguage(chosen: Language): Promise<void> {
  const loaded = await files[chosen]().catch(() => null);
  if (loaded === null) return;
  batch(() => {
    texts.value = loaded;
    language.value = chosen;
  });
  writePreference('language', chosen);
}

/** A text in the user's language; `{name}` in it is replaced. Components that call it render again on a change. */
export function t(text: Text, values: Record<string, string | number> = {}): string {
  return (texts.value?.[text] ?? text).replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''));
}

/** The text of a code, such as a status or an attention kind; a code that has no text is shown itself. */
export function textOf(prefix: string, code: string | number): string {
  const key = `${prefix}:${code}`;
  return texts.value !== null && key in texts.value ? t(key as Text) : String(code);
}

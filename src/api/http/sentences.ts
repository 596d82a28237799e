import type { FastifyReply } from 'fastify';
import { holdEn } from '../../domain/hold/messages/en.js';
import { holdKo } from '../../domain/hold/messages/ko.js';
import { en } from '../../domain/reservation/messages/en/index.js';
import { ko } from '../../domain/reservation/messages/ko/index.js';
import { type Catalogue, type Message, renderer, type Sentence } from '../../domain/shared/message.js';
import { alertEn } from '../../store/alerts/messages/en.js';
import { alertKo } from '../../store/alerts/messages/ko.js';
import { apiEn } from '../messages/en/index.js';
import { apiKo } from '../messages/ko/index.js';
import { type Language, languageOf } from './language.js';

/** Renders a sentence for one caller. */
export type Render = (sentence: Sentence) => string;

export type Reply = Pick<FastifyReply, 'request' | 'header'>;

const catalogues: Readonly<Record<Language, Catalogue>> = {
  en: { ...en, ...holdEn, ...alertEn, ...apiEn },
  ko: { ...ko, ...holdKo, ...alertKo, ...apiKo },
};

/** All sentences for people, in one language and zone. */
export function sentencesIn(language: Language, zoneOffsetMinutes: number): Render {
  return renderer(catalogues[language], zoneOffsetMinutes);
}

/** The same in the caller's language, which the answer's headers state. */
export function sentencesFor(reply: Reply, zoneOffsetMinutes: number): Render {
  return sentencesIn(setLanguage(reply), zoneOffsetMinutes);
}

/** States the language of an answer with sentences, and that it depends on the request. */
export function setLanguage(reply: Reply): Language {
  const language = languageOf(reply.request.headers['accept-language']);
  reply.header('content-language', language);
  reply.header('vary', 'Accept-Language');
  return language;
}

/** A value with each message in it rendered. */
export type Rendered<T> = T extends Message
  ? string
  : T extends readonly (infer Item)[]
    ? Rendered<Item>[]
    : T extends object
      ? { [Key in keyof T]: Rendered<T[Key]> }
      : T;

export function rendered<T>(value: T, render: Render): Rendered<T> {
  return renderAll(value, render) as Rendered<T>;
}

function renderAll(value: unknown, render: Render): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => renderAll(item, render));
  if (isMessage(value)) return render(value);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, renderAll(part, render)]));
}

function isMessage(value: object): value is Message {
  return 'code' in value && 'data' in value && Object.keys(value).length === 2;
}

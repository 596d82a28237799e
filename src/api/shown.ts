import type { FastifyRequest } from 'fastify';
import type { HoldFacts } from '../fleet/holds/index.js';
import type { Car, CarMemo, Product, Schedule } from '../platform/model.js';
import { callerOf } from './auth.js';
import type { WriteMoment } from './moments.js';

/** Writes the platform's objects for one caller: what names a person, or a person wrote, is null for viewers (L60). */
export function showerFor(request: FastifyRequest, write: WriteMoment) {
  const isViewer = callerOf(request).role === 'viewer';
  const personal = (text: string) => (isViewer ? null : text);
  const modified = ({ modifierName, modifiedAt }: { modifierName: string; modifiedAt: number }) => ({
    modifierName: personal(modifierName),
    modifiedAt: write(modifiedAt),
  });
  return {
    product: (product: Product) => ({ ...product, ...modified(product) }),
    car: (car: Car) => ({ ...car, ...modified(car) }),
    memo: ({ memoId, content, writerName, createdAt }: CarMemo) => ({
      memoId,
      content: personal(content),
      writerName: personal(writerName),
      createdAt: write(createdAt),
    }),
    entry: ({ scheduleId, scheduleType, startAt, endAt, reason }: Schedule) => ({
      scheduleId,
      scheduleType,
      startAt: write(startAt),
      endAt: write(endAt),
      // of an R entry the platform wrote it, of an S entry a person
      reason: scheduleType === 'R' ? reason : personal(reason),
    }),
  };
}

/** A hold as lists show it. */
export function holdItem({ period, createdAt, endedAt, ...item }: HoldFacts, write: WriteMoment) {
  return {
    ...item,
    period: { start: write(period.start), end: write(period.end) },
    createdAt: write(createdAt),
    endedAt: endedAt === null ? null : write(endedAt),
  };
}

/** The part of a list in ascending id that begins after `cursor`. */
export function pageAfter<T>(
  all: readonly T[],
  id: (item: T) => number,
  { cursor = '0', limit }: { cursor?: string; limit: number },
): { items: T[]; nextCursor: string | null } {
  const begin = firstAfter(all, id, Number(cursor));
  const items = all.slice(begin, begin + limit);
  const last = items.at(-1);
  return { items, nextCursor: begin + limit < all.length && last !== undefined ? String(id(last)) : null };
}

function firstAfter<T>(all: readonly T[], id: (item: T) => number, cursor: number): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (id(all[middle] as T) <= cursor) low = middle + 1;
    else high = middle;
  }
  return low;
}

import type { FastifyRequest } from 'fastify';
import type { KnownCar, KnownProduct } from '../../platform/catalogue/catalogue.js';
import type { CarMemo, Received, Schedule } from '../../platform/model.js';
import { callerOf } from './auth.js';
import type { WriteMoment } from './moments.js';

/** Writes the platform's objects for one caller: names of persons, and texts that persons wrote, are null for viewers (L60). */
export function viewsFor(request: FastifyRequest, write: WriteMoment) {
  const isViewer = callerOf(request).role === 'viewer';
  const personal = (text: string | null) => (isViewer ? null : text);
  const moment = (instant: number | null) => (instant === null ? null : write(instant));
  const modified = ({ modifierName, modifiedAt }: Pick<KnownCar, 'modifierName' | 'modifiedAt'>) => ({
    modifierName: personal(modifierName),
    modifiedAt: moment(modifiedAt),
  });
  return {
    product: (product: KnownProduct) => ({ ...product, ...modified(product) }),
    car: (car: KnownCar) => ({ ...car, ...modified(car) }),
    memo: ({ memoId, content, writerName, createdAt }: Received<CarMemo>) => ({
      memoId,
      content: personal(content),
      writerName: personal(writerName),
      createdAt: moment(createdAt),
    }),
    entry: ({ scheduleId, scheduleType, startAt, endAt, reason }: Received<Schedule>) => ({
      scheduleId,
      scheduleType,
      startAt: moment(startAt),
      endAt: moment(endAt),
      // of an R entry the platform wrote it, of an S entry a person
      reason: scheduleType === 'R' ? reason : personal(reason),
    }),
  };
}

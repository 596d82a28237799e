import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { normalise } from '../../src/inbox/event/normalise.js';
import { gaps } from '../../src/platform/gaps.js';
import type { Callback, CallbackKind } from '../../src/platform/model.js';
import type { OperationName } from '../../src/platform/profile.js';
import { defaultProfile } from '../../src/platform/profiles/default/index.js';
import { unreadOf } from '../../src/platform/unread.js';
import * as arbitrary from '../support/wire-arbitraries.js';
import {
  at,
  type Kind,
  kinds,
  nameOf,
  type Path,
  placesOf,
  replaced,
  typeOf,
} from '../support/wire-mutations.js';

const answers: Partial<Record<OperationName, fc.Arbitrary<unknown>>> = {
  book: arbitrary.bookingAnswer,
  dispatchStart: arbitrary.commandReceipt,
  listProducts: fc.array(arbitrary.product, { minLength: 1, maxLength: 3 }).map((items) => ({ items })),
  getProduct: arbitrary.product,
  listProductsOfFare: fc.array(arbitrary.product, { minLength: 1, maxLength: 3 }).map((items) => ({ items })),
  listRelatedCars: fc.array(arbitrary.relatedCar, { minLength: 1, maxLength: 3 }).map((items) => ({ items })),
  setSaleStatus: arbitrary.saleStatus,
  listCars: fc.array(arbitrary.car, { minLength: 1, maxLength: 3 }).map((items) => ({ items })),
  getCar: arbitrary.car,
  listCarMemos: fc.array(arbitrary.carMemo, { minLength: 1, maxLength: 3 }).map((items) => ({ items })),
  addCarMemo: arbitrary.carMemo,
  listSchedules: fc.array(arbitrary.carSchedules, { minLength: 1, maxLength: 3 }).map((items) => ({ items })),
  getSchedule: arbitrary.schedule,
  addSchedule: arbitrary.schedule,
  changeSchedule: arbitrary.schedule,
};
/** The names that the model has otherwise than the wire. */
const modelNames: Record<string, string> = { startDateTimeStr: 'startAt', endDateTimeStr: 'endAt' };
const modelPath = (path: Path): Path => path.map((part) => modelNames[part] ?? part);

/** A body, one of its places, and what comes there instead. */
function mutations<T>(values: fc.Arbitrary<T>, write: (value: T) => unknown) {
  return values.chain((value) => {
    const wire = JSON.parse(JSON.stringify(write(value)));
    return fc.record({
      value: fc.constant(value),
      wire: fc.constant(wire as unknown),
      path: fc.constantFrom(...placesOf(wire)),
      by: fc.constantFrom<Kind>(...kinds),
    });
  });
}

/** The same with one place unknown; an item of a list that is no object has no known field. */
function withUnknown(value: unknown, path: Path): unknown {
  const before = at(value, path);
  const isItem = typeof path.at(-1) === 'number';
  const unknown =
    isItem && typeof before === 'object' && before !== null
      ? Object.fromEntries(Object.keys(before).map((name) => [name, null]))
      : null;
  return replaced(value, path, unknown as never);
}

/** Without optional fields that are absent or unknown alike: an item of nothing has none of them. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

describe.each(Object.entries(answers))('the answer of %s', (name, values) => {
  const { schema } = defaultProfile.operations[name as OperationName].success;

  it('F90: keeps every value except the one that does not fit, which is unknown and named', () => {
    fc.assert(
      fc.property(
        mutations(values, (value) => z.encode(schema as never, value as never)),
        (mutation) => {
          const { wire, path, by } = mutation;
          const whole = plain(z.decode(schema as never, wire as never));
          const changed = replaced(wire, path, by);
          const read = z.decode(schema as never, changed as never) as { items?: unknown };
          const unread = unreadOf(read.items ?? read);
          const inModel = name.startsWith('list') ? ['items', ...modelPath(path)] : modelPath(path);
          if (unread.length === 0) {
            // it fits all the same, or an optional field is absent: then nothing else changed
            expect(replaced(plain(read), inModel, undefined)).toEqual(replaced(whole, inModel, undefined));
            return;
          }
          const isWhole = unread.length === 1 && unread[0]?.path.length === path.length;
          if (isWhole && typeof path.at(-1) === 'string')
            expect(plain(read)).toEqual(withUnknown(whole, inModel));
          for (const misfit of unread) {
            expect(nameOf(misfit.path).startsWith(nameOf(path))).toBe(true);
            expect(Object.keys(gaps)).toContain(misfit.gap);
            expect(misfit.expected).not.toBe('');
          }
          if (isWhole) expect(unread[0]?.received).toBe(typeOf(by));
        },
      ),
      { numRuns: 100 },
    );
  });
});

/** Without one of them a callback is not read: which reservation it is, and what it says is all that it is for. */
const needed: Record<CallbackKind, readonly string[]> = {
  registration: ['reservationId', 'reservationStatus', 'carId', 'startAt', 'endAt'],
  update: ['reservationId', 'reservationStatus', 'carId', 'startAt', 'endAt'],
  car: ['reservationId', 'carId'],
  status: ['reservationId', 'reservationStatus'],
};
const row = { id: 1, identity: 'webhook-id', eventId: 'a', receivedAt: 0, replays: 0 } as const;
const eventOf = (callback: Callback) => {
  const { contentHash: _, ...event } = normalise(callback, { ...row, channel: callback.kind });
  return event as Record<string, unknown>;
};

describe.each(Object.entries(needed))('a %s callback', (kind, fields) => {
  const { callbacks } = defaultProfile;
  const values = arbitrary.callback.filter((one) => one.kind === kind);

  it(`needs ${fields.join(', ')}, names the one that does not fit, and reads the rest without any other`, () => {
    fc.assert(
      fc.property(
        mutations(values, (value) => callbacks.encode(value)),
        ({ wire, path, by }) => {
          const read = () => callbacks.decode(kind as CallbackKind, replaced(wire, path, by));
          const isNeeded = path.length === 1 && fields.includes(String(path[0]));
          const fits = typeof by === 'number' && typeof at(wire, path) === 'number';
          if (isNeeded && !fits) {
            expect(read).toThrow(z.ZodError);
            const error = (() => {
              try {
                return read();
              } catch (thrown) {
                return thrown as z.ZodError;
              }
            })() as z.ZodError;
            const [issue] = error.issues;
            expect(issue?.path).toEqual(path);
            expect(issue?.message).toMatch(new RegExp(`^expected .+, received ${typeOf(by)} \\(G\\d\\d\\)$`));
            return;
          }
          const [before, after] = [eventOf(callbacks.decode(kind as CallbackKind, wire)), eventOf(read())];
          const differ = Object.keys({ ...before, ...after }).filter(
            (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
          );
          // `malformed` names fields by their form
          expect(differ.filter((name) => name !== 'malformed').length).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('L15: is read without absent fields, and an unreadable companion is no companion', () => {
    const whole = fc.sample(values, 20);
    for (const callback of whole) {
      const wire = JSON.parse(JSON.stringify(callbacks.encode(callback))) as Record<string, unknown>;
      for (const name of Object.keys(wire).filter((field) => !fields.includes(field))) {
        const { [name]: _, ...rest } = wire;
        expect(callbacks.decode(kind as CallbackKind, rest).kind).toBe(kind);
      }
      if (kind !== 'update') continue;
      const event = eventOf(callbacks.decode('update', { ...wire, companionInfo: 'a friend' }));
      expect('companion' in event).toBe(false);
    }
  });
});

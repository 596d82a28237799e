import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Listing, Operation, Schema } from '../../src/platform/profile.js';
import { defaultProfile } from '../../src/platform/profiles/default/index.js';
import { contraryProfile } from '../profiles/contrary.js';
import * as some from '../support/wire-arbitraries.js';

const throughJson = (wire: unknown): unknown => JSON.parse(JSON.stringify(wire));
const throughQuery = (wire: Record<string, string>) => Object.fromEntries(new URLSearchParams(wire));

function returns<T>(
  schema: Schema<T>,
  values: fc.Arbitrary<T>,
  carry: (wire: never) => unknown = throughJson,
) {
  fc.assert(
    fc.property(values, (value) => {
      const wire = carry(z.encode(schema, value) as never);
      expect(z.decode(schema, wire)).toEqual(value);
    }),
    { numRuns: 60 },
  );
}

const jsonBody = <P, Q, B, O>({ body }: Operation<P, Q, B, O>): Schema<B> => {
  if (body.kind !== 'json') throw new Error('expected a JSON body');
  return body.schema;
};
const answer = <P, Q, B, O>({ success }: Operation<P, Q, B, O>): Schema<O> => {
  if (!success.schema) throw new Error('expected an answer');
  return success.schema;
};
const listing = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<Listing<T>> =>
  fc.array(item, { maxLength: 3 }).map((items) => ({ items }));

describe.each([
  { ...defaultProfile, callback: some.callback },
  { ...contraryProfile, callback: some.datedCallback },
])('what the $name profile writes, it reads back unchanged', ({ operations: o, callbacks, callback }) => {
  it('callbacks (G01, G02, G28-G30)', () => {
    fc.assert(
      fc.property(callback, (callback) => {
        const wire = throughJson(callbacks.encode(callback));
        expect(callbacks.decode(callback.kind, wire)).toEqual(callback);
      }),
      { numRuns: 200 },
    );
  });

  it('booking and its answer (G11, G12)', () => {
    returns(jsonBody(o.book), some.bookingRequest);
    returns(answer(o.book), some.bookingAnswer);
  });

  it('staff and parking facts, in JSON and beside a photo (G13-G15)', () => {
    returns(jsonBody(o.dispatchStaff), some.staffAssignment);
    returns(jsonBody(o.recallStaff), some.staffAssignment);
    returns(jsonBody(o.dispatchComplete), some.parkingFacts);
    const photo = o.dispatchParkingImage.body;
    if (photo.kind !== 'photo') throw new Error('expected a photo body');
    returns(photo.fields, some.parkingFacts);
  });

  it('products, cars and schedules (G03-G06, G08-G10, G21)', () => {
    returns(answer(o.getProduct), some.product);
    returns(answer(o.getCar), some.car);
    returns(answer(o.listProducts), listing(some.product));
    returns(answer(o.listRelatedCars), listing(some.relatedCar));
    returns(answer(o.listCars), listing(some.car));
    returns(answer(o.listSchedules), listing(some.carSchedules));
  });

  it('external schedules, memos and sale status (G07, G17, G19, G42)', () => {
    returns(jsonBody(o.addSchedule), some.scheduleRequest);
    returns(jsonBody(o.changeSchedule), some.scheduleRequest);
    returns(answer(o.getSchedule), some.schedule);
    returns(jsonBody(o.addCarMemo), some.carMemoRequest);
    returns(answer(o.addCarMemo), some.carMemo);
    returns(answer(o.listCarMemos), listing(some.carMemo));
    returns(answer(o.setSaleStatus), some.saleStatus);
    returns(o.setSaleStatus.params, fc.record({ id: fc.maxSafeInteger(), carId: fc.maxSafeInteger() }));
  });

  it('filters in a query, ids in a path (G18, G22, G23)', () => {
    returns(o.listProducts.query, some.productFilter, throughQuery);
    returns(o.listCars.query, some.carFilter, throughQuery);
    returns(o.listSchedules.query, some.scheduleFilter, throughQuery);
    returns(o.getCar.params, fc.record({ id: fc.maxSafeInteger() }));
  });
});

it('G16: the default answers a command with the reservation and its status, the contrary with nothing', () => {
  returns(answer(defaultProfile.operations.recallComplete), some.commandReceipt);
  expect(contraryProfile.operations.recallComplete.success).toEqual({ status: 204 });
});

it('G17: the default carries the sale status in the body, the contrary in the query', () => {
  const inBody = defaultProfile.operations.setSaleStatus;
  const inQuery = contraryProfile.operations.setSaleStatus;
  expect(z.encode(jsonBody(inBody), { saleYn: 'N' })).toEqual({ saleYn: 'N' });
  expect(z.encode(inBody.query, { saleYn: 'N' })).toEqual({});
  expect(z.encode(inQuery.query, { saleYn: 'N' })).toEqual({ saleYn: 'N' });
  expect(inQuery.body).toEqual({ kind: 'none' });
});

it('G01, G21: the contrary profile has a different form on the wire', () => {
  const [reservation] = fc.sample(some.reservation, 1);
  if (!reservation) throw new Error('no sample');
  const wire = contraryProfile.callbacks.encode({
    kind: 'update',
    reservation: { ...reservation, reservationStatus: 15 },
  });
  expect(wire).toMatchObject({ reservation_id: reservation.reservationId, reservation_status: '15' });
  expect(z.encode(answer(contraryProfile.operations.listCars), { items: [], next: 'b' })).toEqual({
    items: [],
    next: 'b',
  });
  expect(z.encode(answer(defaultProfile.operations.listCars), { items: [] })).toEqual([]);
});

it('G24: a success of the default profile is 200, and 204 for a deletion', () => {
  const other = Object.values(defaultProfile.operations).filter(
    ({ method, success }) => success.status !== (method === 'DELETE' ? 204 : 200),
  );
  expect(other).toEqual([]);
});

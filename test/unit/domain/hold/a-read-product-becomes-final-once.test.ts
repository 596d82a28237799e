import { expect, it } from 'vitest';
import { applyStepAnswer } from '../../../../src/domain/hold/index.js';
import { saleStep } from '../../../../src/domain/hold/sale.js';
import type { HoldState, SaleOf } from '../../../../src/domain/hold/types.js';
import { HoldWorld, midnight } from '../../../support/hold-world.js';

const carId = 1001;
type Read = 'Y' | 'N' | null;

/** The state once one product of a hold was read: its status of the car, or null where the car is not in it. */
function afterRead(sale: Omit<SaleOf, 'productId'>, saleYn: Read, leaving = false): HoldState {
  const { state } = new HoldWorld();
  const known: HoldState = {
    ...state,
    leaving: leaving ? { end: 'released', at: midnight } : null,
    sale: { ...state.sale, begun: true, isOurTurn: true, products: [{ productId: 301, ...sale }] },
  };
  const step = { do: 'look-in-products' as const, carId, productIds: [301] };
  const value = saleYn === null ? null : { saleYn };
  const answers = [{ productId: 301, answer: { outcome: 'applied' as const, value } }];
  return applyStepAnswer(known, 'look-in-products', step, answers, midnight);
}
const kindOf = ({ sale }: HoldState) => sale.products[0]?.kind;
const auditOf = ({ audit }: HoldState) => audit.map(({ action }) => action);

it.each(['on-sale', 'restoring', 'restored', 'was-off', 'changed', 'left', 'untouched'] as const)(
  'F04, F13: a product that is %s is not changed by a read that was still out',
  (kind) => {
    for (const saleYn of ['Y', 'N', null] as const) {
      const state = afterRead({ kind }, saleYn);
      expect(state.sale.products).toEqual([{ productId: 301, kind }]);
      expect(auditOf(state)).toEqual([]);
    }
  },
);

it.each<[string, Omit<SaleOf, 'productId'>, Read, boolean, SaleOf['kind'], string[]]>([
  ['withdrawn, as it reads N', { kind: 'setting' }, 'N', false, 'ours', ['sale-status.withdraw']],
  ['to be read again after one Y', { kind: 'setting' }, 'Y', false, 'setting', []],
  ['to be set again after two Y', { kind: 'setting', looks: 1 }, 'Y', false, 'on-sale', []],
  ['untouched after two Y, in a release', { kind: 'setting', looks: 1 }, 'Y', true, 'untouched', []],
  ['without the car', { kind: 'setting' }, null, false, 'left', []],
  ['without the car, in a release', { kind: 'ours' }, null, true, 'left', []],
  ['to be restored, as it still reads N', { kind: 'ours' }, 'N', true, 'restoring', []],
  ['changed by a person, as it reads Y', { kind: 'ours' }, 'Y', true, 'changed', []],
  [
    'restored, where our Y was lost',
    { kind: 'ours', sentBack: true },
    'Y',
    true,
    'restored',
    ['sale-status.restore'],
  ],
  ['sent again, where our Y did nothing', { kind: 'ours', sentBack: true }, 'N', true, 'restoring', []],
])('F03, F04: a product is %s', (_, sale, saleYn, leaving, kind, audit) => {
  const state = afterRead(sale, saleYn, leaving);
  expect(kindOf(state)).toBe(kind);
  expect(auditOf(state)).toEqual(audit);
});

it('F12: where several products wait to be read again, the hold waits for the first of them', () => {
  const { state } = new HoldWorld();
  const later = { lookAt: midnight + 9_000 };
  const products = [
    { productId: 301, kind: 'setting' as const, lookAt: midnight + 5_000 },
    { productId: 302, kind: 'setting' as const, ...later },
    { productId: 303, kind: 'setting' as const, ...later },
  ];
  const sale = { ...state.sale, isOurTurn: true, products };
  expect(saleStep({ ...state, sale }, midnight)).toEqual({ do: 'wait', until: midnight + 5_000 });
  expect(saleStep({ ...state, sale }, midnight + 5_000)).toMatchObject({ productIds: [301] });
  expect(saleStep({ ...state, sale }, midnight + 9_000)).toMatchObject({ productIds: [301, 302, 303] });
});

import type { Sentence } from '../shared/message.js';
import { type Ended, type Rejected, type Unknown, waitsFor } from '../shared/outcome.js';
import type { Instant } from '../shared/time.js';
import { message } from './messages/message.js';
import { afterLost, noAnswer } from './messages/no-answer.js';
import { dueAt, firstReadMs, secondReadMs, withAuditEntry, withoutTrouble, withTrouble } from './record.js';
import {
  type Doing,
  type HoldState,
  type HoldStep,
  isUnread,
  type SaleOf,
  type StepAnswers,
  type Unread,
} from './types.js';

/** Reads of one step; their queue paces them. */
const readsAtOnce = 20;
/** How often to read whether another hold has restored the sale status, and for how long. */
const turnPollMs = 3_000;
const turnWithinMs = 10 * 60_000;
/** Writes of one step. */
const writesAtOnce = 8;

/** The next step to withdraw from sale, or to restore it; null: none is left. */
export function saleStep(state: HoldState, now: Instant): HoldStep | null {
  const due = dueAt(state, 'sale');
  const step = nextOf(state, now);
  if (step === null || due <= now) return step;
  // products that fail on their own hold up no others
  const others = state.sale.aside === undefined ? null : nextOf(withoutAside(state), now);
  return others === null || others.do === 'wait' ? { do: 'wait', until: due } : others;
}

function nextOf(state: HoldState, now: Instant): HoldStep | null {
  return state.leaving === null ? nextToWithdraw(state, now) : nextToRestore(state, now);
}

/** As if there were no products but those that nothing is the matter with. */
function withoutAside(state: HoldState): HoldState {
  const { products, scan, aside = [] } = state.sale;
  const isLeft = (productId: number) => !aside.includes(productId);
  const left = Array.isArray(scan) ? scan.filter(isLeft) : scan;
  const sale = {
    ...state.sale,
    products: products.filter(({ productId }) => isLeft(productId)),
    scan: Array.isArray(left) && left.length === 0 ? ('idle' as const) : left,
  };
  return { ...state, sale };
}

/** F03: from the hold's start on, in every product that holds the car; F04: where it is on sale. */
function nextToWithdraw(state: HoldState, now: Instant): HoldStep | null {
  const { carId, holdId } = state.request;
  const { scan, isOurTurn, askAt } = state.sale;
  if (!isOurTurn) {
    if (askAt > now) return { do: 'wait', until: askAt };
    return { do: 'ask-turn', carId, holdId, before: state.period.start };
  }
  const toSet = idsOf(state, ({ kind }) => kind === 'on-sale').slice(0, writesAtOnce);
  if (toSet.length > 0) return { do: 'set-sale', carId, saleYn: 'N', productIds: toSet };
  if (scan === 'due') return { do: 'list-products' };
  if (scan !== 'idle') {
    return { do: 'look-in-products', carId, productIds: scan.slice(0, readsAtOnce) };
  }
  return nextRead(state, now, ({ kind }) => kind === 'setting');
}

/** F04: given back only where it still reads N and we set it. */
function nextToRestore(state: HoldState, now: Instant): HoldStep | null {
  const { carId } = state.request;
  const toSet = idsOf(state, ({ kind }) => kind === 'restoring').slice(0, writesAtOnce);
  if (toSet.length > 0) return { do: 'set-sale', carId, saleYn: 'Y', productIds: toSet };
  return nextRead(state, now, ({ kind }) => kind === 'setting' || kind === 'ours');
}

/** Reads the products of a kind that are due, or waits for the first that will be. */
function nextRead(state: HoldState, now: Instant, of: (sale: SaleOf) => boolean): HoldStep | null {
  const { carId } = state.request;
  const asking = state.sale.products.filter(of);
  if (asking.length === 0) return null;
  const ready = asking.filter(({ lookAt = 0 }) => lookAt <= now).map(({ productId }) => productId);
  if (ready.length > 0) {
    return { do: 'look-in-products', carId, productIds: ready.slice(0, readsAtOnce) };
  }
  return { do: 'wait', until: Math.min(...asking.map(({ lookAt = 0 }) => lookAt)) };
}

function idsOf({ sale }: HoldState, of: (sale: SaleOf) => boolean): number[] {
  return sale.products.filter(of).map(({ productId }) => productId);
}

/** F03: waits for another hold that ends where this one begins; not for ever, for that one may be stuck. */
export function applyTurn(state: HoldState, answer: StepAnswers['ask-turn'], now: Instant): HoldState {
  const isFree = answer.outcome === 'applied' && answer.value.holdId === null;
  const isOurTurn = isFree || now > state.period.start + turnWithinMs;
  return { ...state, sale: { ...state.sale, isOurTurn, askAt: now + (answer.againMs ?? turnPollMs) } };
}

export function applyProductList(
  state: HoldState,
  answer: StepAnswers['list-products'],
  now: Instant,
): HoldState {
  if (answer.outcome !== 'applied') return blockSale(state, answer, now);
  const known = new Set(state.sale.products.map(({ productId }) => productId));
  const left = answer.value.filter((one): one is number => !isUnread(one) && !known.has(one));
  const listed = { ...state, sale: { ...state.sale, scan: left.length === 0 ? ('idle' as const) : left } };
  return withoutTroubleIfDone(withUnlisted(listed, answer.value.filter(isUnread), now), now);
}

/** Products that cannot be looked into hold up no other; a person is shown them. */
function withUnlisted(state: HoldState, unread: readonly Unread[], now: Instant): HoldState {
  const [first] = unread;
  if (first === undefined) return withoutTrouble(state, 'products');
  const why = message('hold.products-unread', { count: unread.length, why: first.unread });
  return withTrouble(state, 'products', { code: 'UNREADABLE', message: why, forPeople: true }, now);
}

/** A trouble is over with the last product that it held up: a read that succeeds does not mean that the write will. */
function withoutTroubleIfDone(state: HoldState, now: Instant): HoldState {
  return nextOf(state, now) === null ? withoutTrouble(state, 'sale') : state;
}

export function applySeenProducts(
  state: HoldState,
  answers: StepAnswers['look-in-products'],
  now: Instant,
): HoldState {
  const seen = answers.reduce((known, { productId, answer }) => {
    if (answer.outcome !== 'applied') {
      const isGone = answer.outcome === 'rejected' && answer.code === 'NOT_FOUND';
      return isGone ? applySeenProduct(known, productId, null, now) : known;
    }
    return applySeenProduct(known, productId, answer.value?.saleYn ?? null, now);
  }, state);
  const failures = answers.flatMap(({ productId, answer }) =>
    answer.outcome === 'unknown' || isFailure(answer) ? { productId, answer } : [],
  );
  if (failures.length === 0) return withoutTroubleIfDone(seen, now);
  // not one of several was answered: it is the platform, not the product
  const isSilent = answers.length > 1 && answers.every(({ answer }) => answer.outcome === 'unknown');
  const [first] = failures;
  return isSilent && first !== undefined
    ? blockSale(seen, first.answer, now)
    : setProductsAside(seen, failures, now);
}

/** Applies the sale status that one product shows of the car; null: the car is not in it. */
function applySeenProduct(
  state: HoldState,
  productId: number,
  saleYn: 'Y' | 'N' | null,
  now: Instant,
): HoldState {
  const known = state.sale.products.find((sale) => sale.productId === productId);
  const { scan } = state.sale;
  const rest = Array.isArray(scan) ? scan.filter((id) => id !== productId) : scan;
  const scanned = {
    ...state,
    sale: { ...state.sale, scan: Array.isArray(rest) && rest.length === 0 ? ('idle' as const) : rest },
  };
  if (known === undefined) {
    if (saleYn === null) return scanned;
    return withSale(scanned, { productId, kind: saleYn === 'Y' ? 'on-sale' : 'was-off' });
  }
  return updateKnownProduct(scanned, known, saleYn, now);
}

function updateKnownProduct(
  state: HoldState,
  known: SaleOf,
  saleYn: 'Y' | 'N' | null,
  now: Instant,
): HoldState {
  const { productId, kind } = known;
  if (kind !== 'setting' && kind !== 'ours') return state;
  if (saleYn === null) return withSale(state, { productId, kind: 'left' });
  if (kind === 'setting') {
    if (saleYn === 'N')
      return withSaleAudited(withSale(state, { productId, kind: 'ours' }), productId, 'N', now);
    const looks = (known.looks ?? 0) + 1;
    if (looks < 2) return withSale(state, { ...known, looks, lookAt: now + secondReadMs });
    return withSale(state, { productId, kind: state.leaving === null ? 'on-sale' : 'untouched' });
  }
  if (saleYn === 'N') return withSale(state, { ...known, kind: 'restoring' });
  if (known.sentBack !== true) return withSale(state, { productId, kind: 'changed' });
  return withSaleAudited(withSale(state, { productId, kind: 'restored' }), productId, 'Y', now);
}

export function applySaleAnswer(
  state: HoldState,
  { saleYn }: Doing<'set-sale'>,
  answers: StepAnswers['set-sale'],
  now: Instant,
): HoldState {
  const failures = answers.flatMap(({ productId, answer }) =>
    isFailure(answer) ? { productId, answer } : [],
  );
  const set = answers.reduce(
    (known, { productId, answer }) => applyProductAnswer(known, productId, saleYn, answer, now),
    state,
  );
  if (failures.length > 0) return setProductsAside(set, failures, now);
  const lost = answers.map(({ answer }) => answer).find(({ outcome }) => outcome === 'unknown');
  if (lost?.outcome !== 'unknown') return withoutTroubleIfDone(set, now);
  return withTrouble(set, 'sale', { code: lost.code, message: afterLost(lost), againInMs: firstReadMs }, now);
}

/** A product that is not there any more is none. */
function isFailure(answer: Ended): answer is Rejected {
  return answer.outcome === 'rejected' && answer.code !== 'NOT_FOUND';
}

function applyProductAnswer(
  state: HoldState,
  productId: number,
  saleYn: 'Y' | 'N',
  answer: Ended,
  now: Instant,
): HoldState {
  const isWithdrawal = saleYn === 'N';
  const lookAt = now + firstReadMs;
  switch (answer.outcome) {
    case 'applied':
      return withSaleAudited(
        withSale(state, { productId, kind: isWithdrawal ? 'ours' : 'restored' }),
        productId,
        saleYn,
        now,
      );
    case 'unknown':
      return withSale(
        state,
        isWithdrawal
          ? { productId, kind: 'setting', looks: 0, lookAt }
          : { productId, kind: 'ours', sentBack: true, lookAt },
      );
    case 'rejected':
      if (answer.code === 'NOT_FOUND') return withSale(state, { productId, kind: 'left' });
      // read again before it is restored: a person may have set it meanwhile
      return withSale(state, { productId, kind: isWithdrawal ? 'on-sale' : 'ours' });
  }
}

function withSale(state: HoldState, sale: SaleOf): HoldState {
  const others = state.sale.products.filter(({ productId }) => productId !== sale.productId);
  const products = [...others, sale].sort((one, other) => one.productId - other.productId);
  return { ...state, sale: { ...state.sale, products } };
}

/** F17: every sale status that the hold changed, with its value before and after. */
function withSaleAudited(state: HoldState, productId: number, after: 'Y' | 'N', now: Instant): HoldState {
  const { request } = state;
  return withAuditEntry(state, {
    at: now,
    by: request.by,
    action: after === 'N' ? 'sale-status.withdraw' : 'sale-status.restore',
    subject: `product/${productId}/car/${request.carId}`,
    reason: null,
    data: {
      productId,
      carId: request.carId,
      holdId: request.holdId,
      before: after === 'N' ? 'Y' : 'N',
      after,
      outcome: 'applied',
    },
  });
}

/** Nothing continues before the next try of the blocked step. */
function blockSale(
  state: HoldState,
  { code, message: why = noAnswer }: { code: string; message?: Sentence },
  now: Instant,
): HoldState {
  const { aside: _, ...sale } = state.sale;
  return withTrouble({ ...state, sale }, 'sale', { code, message: why }, now);
}

type Failed = Rejected | Unknown;

/**
 * What the platform takes of no product holds all of them up; what it does not take of one product puts that one aside
 * until the trouble's next try (F12).
 */
function setProductsAside(
  state: HoldState,
  failures: { productId: number; answer: Failed }[],
  now: Instant,
): HoldState {
  const [first] = failures;
  if (first === undefined) return state;
  const everywhere = failures.find(({ answer }) => waitsFor(answer.code) !== null);
  if (everywhere !== undefined) return blockSale(state, everywhere.answer, now);
  const { aside } = state.sale;
  const isSameRound = aside !== undefined && dueAt(state, 'sale') > now;
  const failed = failures.map(({ productId }) => productId);
  const put = { ...state, sale: { ...state.sale, aside: [...(isSameRound ? aside : []), ...failed] } };
  if (isSameRound) return put;
  const { code } = first.answer;
  return withTrouble(put, 'sale', { code, message: first.answer.message ?? noAnswer }, now);
}

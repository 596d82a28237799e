import { nextAction } from './action-options.js';
import { phaseAt } from './actions.js';
import { openAttention, sinceOf } from './attention.js';
import { type Belief, belief } from './belief.js';
import { isFinal } from './guards.js';
import { listFacts } from './list-facts.js';
import type { ReservationState, StepDone } from './state.js';
import type { Companion, Driver, ListRow } from './types.js';

/**
 * What lists show of an open reservation. It follows from the state alone, and changes in no step without a verdict or a
 * timeline entry, so that it is stored with them. A changed policy (a key of the platform was added or removed) may change `next` without
 * either: the daily comparison of rows with workflows stores that.
 */
export function listRow(state: ReservationState, what: Belief = belief(state)): ListRow {
  const { status, facts } = what;
  const { attention: _, ...listed } = listFacts(state, what);
  const open = state.commands.filter((one) => !isFinal(one));
  const unknown = open.filter(({ doubtful }) => doubtful);
  const attention = openAttention(state).map((item) => ({ kind: item.kind, since: sinceOf(item) }));
  return {
    ...listed,
    sequence: state.sequence ?? 0,
    grade: status.grade,
    since: status.since,
    productId: facts.productId?.value ?? null,
    attention,
    next: nextAction(state, what),
    unknownCommands: unknown.length,
    waitingCommands: open.length - unknown.length,
    atRisk: attention.some(({ kind }) => kind === 'next-in-danger'),
    private: {
      carNumber: facts.car?.value.number ?? null,
      dispatchStaff: staffOf(state, 'dispatch.staff'),
      recallStaff: staffOf(state, 'recall.staff'),
      drivers: [facts.driver, facts.companion].flatMap((fact) => fact?.value?.name ?? []),
      contacts: [facts.driver, facts.companion].flatMap((fact) => contactOf(fact?.value)),
    },
  };
}

/** Whom the row names, by what an erasure finds them. */
export function personsIn({ private: { drivers, contacts = [] } }: Pick<ListRow, 'private'>) {
  return [
    ...drivers.map((name) => ({ name, phone: null, licenseNumber: null })),
    ...contacts.map((contact) => ({ name: null, ...contact })),
  ];
}

/** Who takes its next steps. */
export function currentStaff(row: {
  status: number | null;
  private: Pick<ListRow['private'], 'dispatchStaff' | 'recallStaff'>;
}): string | null {
  const { dispatchStaff, recallStaff } = row.private;
  return phaseAt(row.status) === 'dispatch' ? dispatchStaff : recallStaff;
}

function contactOf(person: Companion | Driver | null | undefined) {
  const { phone = null, licenseNumber = null } = person ?? {};
  return phone === null && licenseNumber === null ? [] : [{ phone, licenseNumber }];
}

function staffOf({ steps }: ReservationState, action: StepDone['action']): string | null {
  return steps.find((one) => one.action === action)?.staff?.staffName ?? null;
}

import { currentUpdateInfo } from '@temporalio/workflow';
import type { Carried, ManagerDecision, ManagerDecisions } from '../../src/contract/reservation.js';
import { type KeyMark, markOf, type Standing, standingOf } from '../../src/domain/shared/idempotency.js';

const mostStored = 64;

/** Keys of the newest applied settlements (L21): Temporal recognises a repeated update id within one run only. */
export class DecisionKeys {
  private ids: string[];
  private marked: KeyMark[];

  constructor({ settled = [], settledMarks = [] }: Pick<Carried, 'settled' | 'settledMarks'>) {
    this.ids = settled;
    this.marked = settledMarks;
  }

  /** `other`: the key was used for another body. A key stored by an earlier version has no mark: any body is `same`. */
  standing<S extends ManagerDecision>(name: S, input: ManagerDecisions[S]): Standing {
    const marked = this.marked.find(({ key }) => key === input.settlementId);
    const known = marked ?? (this.ids.includes(idOf(name, input)) ? {} : undefined);
    return standingOf(known, markOf(name, input));
  }

  add<S extends ManagerDecision>(name: S, input: ManagerDecisions[S]): void {
    this.ids = [...this.ids, idOf(name, input)].slice(-mostStored);
    const { settlementId } = input;
    if (settlementId === undefined) return;
    const added = { key: settlementId, mark: markOf(name, input) };
    this.marked = [...this.marked, added].slice(-mostStored);
  }

  /** For the case file. */
  get marks(): KeyMark[] {
    return this.marked;
  }

  /** For the next run; empty where nothing was settled. */
  carry(): Pick<Carried, 'settled' | 'settledMarks'> {
    return {
      ...(this.ids.length > 0 && { settled: this.ids }),
      ...(this.marked.length > 0 && { settledMarks: this.marked }),
    };
  }
}

/** In the form of 0.2.0, which must recognise the key after a rollback. */
function idOf(name: ManagerDecision, { settlementId }: ManagerDecisions[ManagerDecision]): string {
  return settlementId === undefined ? (currentUpdateInfo()?.id ?? '') : `${name}.${settlementId}`;
}

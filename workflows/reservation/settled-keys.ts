import { currentUpdateInfo } from '@temporalio/workflow';
import type { Carried, SettledMark, Settlement, Settlements } from '../../src/contract/reservation.js';
import { settlementMark } from '../../src/domain/reservation/index.js';

const mostStored = 64;

/**
 * Keys of the newest settlements that were applied (L21): the server knows an update's id again only within one run.
 */
export class SettledKeys {
  private ids: string[];
  private marked: SettledMark[];

  constructor({ settled = [], settledMarks = [] }: Pick<Carried, 'settled' | 'settledMarks'>) {
    this.ids = settled;
    this.marked = settledMarks;
  }

  /** `other`: the key was used for another body. A key that an earlier version kept has no mark: any body is `same`. */
  standing<S extends Settlement>(name: S, input: Settlements[S]): 'new' | 'same' | 'other' {
    const known = this.marked.find(({ key }) => key === input.settlementId);
    if (known !== undefined) return known.mark === settlementMark(name, input) ? 'same' : 'other';
    return this.ids.includes(idOf(name, input)) ? 'same' : 'new';
  }

  add<S extends Settlement>(name: S, input: Settlements[S]): void {
    this.ids = [...this.ids, idOf(name, input)].slice(-mostStored);
    const { settlementId } = input;
    if (settlementId === undefined) return;
    const added = { key: settlementId, mark: settlementMark(name, input) };
    this.marked = [...this.marked, added].slice(-mostStored);
  }

  /** For the case file. */
  get marks(): SettledMark[] {
    return this.marked;
  }

  /** What the next run is given: nothing where nothing was settled. */
  carry(): Pick<Carried, 'settled' | 'settledMarks'> {
    return {
      ...(this.ids.length > 0 && { settled: this.ids }),
      ...(this.marked.length > 0 && { settledMarks: this.marked }),
    };
  }
}

/** As 0.2.0 keeps it: it must know the key again after a rollback. */
function idOf(name: Settlement, { settlementId }: Settlements[Settlement]): string {
  return settlementId === undefined ? (currentUpdateInfo()?.id ?? '') : `${name}.${settlementId}`;
}

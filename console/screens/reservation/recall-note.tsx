import type { Reservation } from '../../api/types.js';
import { Moment } from '../../design/time.js';
import { textOf } from '../../texts/index.js';
import { personal } from './personal.js';

type Note = NonNullable<Reservation['recall']['note']>;

/** What was noted at the recall, and what became of its memo: one that could not be written is written by hand (F59). */
export function RecallNote({ note: { text, outcome, code, by, at } }: { note: Note }) {
  return (
    <>
      {outcome !== 'applied' && <p>{personal(text)}</p>}
      <p class="soft small row wrap">
        {textOf('note', outcome)} {code !== null && <span class="mono">{code}</span>}
        <span>{by}</span> <Moment at={at} />
      </p>
    </>
  );
}

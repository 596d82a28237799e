import { and, eq, isNull } from 'drizzle-orm';
import type { CarWriteResult, CarWriteStart } from '../../contract/car-write.js';
import { standingOf } from '../../domain/shared/idempotency.js';
import type { HandoverDb } from '../handover.js';
import { carWrites } from '../schema.js';
import { startMarkOf } from '../sealing/mark.js';
import type { Sealer } from '../sealing/sealer.js';

/** The write that a key stands for. */
export interface KnownCarWrite {
  createdAt: number;
  /** The first answer; null: not known yet, or deleted with other texts after `PERSONAL_DATA_RETENTION`. */
  result: CarWriteResult | null;
}

/** Writes on cars by their keys, also after Temporal has deleted the workflow (F22). */
export interface CarWriteRows {
  /**
   * Reserves a key before anything is sent, or finds it reserved.
   * @param at an instant
   * @returns `isSame` false: the key stands for another write
   */
  reserve(
    start: Pick<CarWriteStart, 'commandId' | 'write'>,
    at: number,
  ): Promise<KnownCarWrite & { isSame: boolean }>;
  /** Undefined: no write has this key. @throws `CodecError` */
  find(commandId: string): Promise<KnownCarWrite | undefined>;
}

const sealedRow = (commandId: string, column: 'mark' | 'result') => `car_writes/${commandId}/${column}`;

export function createCarWriteRows(db: HandoverDb, sealer: Sealer): CarWriteRows {
  const read = async (commandId: string) => {
    const [row] = await db.select().from(carWrites).where(eq(carWrites.commandId, commandId));
    return row;
  };
  const known = ({ commandId, createdAt, result }: typeof carWrites.$inferSelect): KnownCarWrite => ({
    createdAt,
    result: result && JSON.parse(sealer.open(result, sealedRow(commandId, 'result')).toString()),
  });
  return {
    async reserve({ commandId, write }, at) {
      const mark = startMarkOf(commandId, write);
      const sealed = sealer.seal(Buffer.from(mark), sealedRow(commandId, 'mark'));
      const values = { commandId, mark: sealed, createdAt: at };
      const [inserted] = await db.insert(carWrites).values(values).onConflictDoNothing().returning();
      const row = inserted ?? (await read(commandId));
      if (row === undefined) throw new Error('the row of a write was removed');
      const stored = sealer.open(row.mark, sealedRow(commandId, 'mark')).toString();
      return { ...known(row), isSame: standingOf({ mark: stored }, mark) === 'same' };
    },
    async find(commandId) {
      const row = await read(commandId);
      return row && known(row);
    },
  };
}

/** Records the first answer to a key; a repeat changes nothing. A write that 0.2.0 began has no row, and gets none. */
export async function recordCarWrite(
  tx: Pick<HandoverDb, 'update'>,
  sealer: Pick<Sealer, 'seal'>,
  commandId: string,
  result: CarWriteResult,
): Promise<void> {
  const sealed = sealer.seal(Buffer.from(JSON.stringify(result)), sealedRow(commandId, 'result'));
  await tx
    .update(carWrites)
    .set({ result: sealed })
    .where(and(eq(carWrites.commandId, commandId), isNull(carWrites.result)));
}

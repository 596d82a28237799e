/** A row of a table, and which version of it. */
export interface Version {
  reservationId: number;
  version: string;
}

/**
 * Remembers the rows of the last reading, and no more (L60): most are the same in the next one, so only those that were written since are
 * read.
 */
export class LastRead<Row extends Version> {
  private last = new Map<number, Row>();

  /**
   * @param wanted those of this reading
   * @param read the rows of these reservations, those that exist
   * @returns them by reservation, as they are now or a moment later
   */
  async read(
    wanted: readonly Version[],
    read: (reservationIds: number[]) => Promise<Row[]>,
  ): Promise<ReadonlyMap<number, Row>> {
    const before = this.last;
    const isKnown = ({ reservationId, version }: Version) => before.get(reservationId)?.version === version;
    const missing = wanted.filter((one) => !isKnown(one)).map(({ reservationId }) => reservationId);
    const changed = missing.length === 0 ? [] : await read(missing);
    const known = wanted.filter(isKnown).flatMap(({ reservationId }) => before.get(reservationId) ?? []);
    const rows = new Map([...known, ...changed].map((row) => [row.reservationId, row]));
    this.last = rows;
    return rows;
  }
}

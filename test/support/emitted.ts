import type { DataConverter, Payload } from '@temporalio/common';
import type { InjectedSinks } from '@temporalio/worker';
import type { RowSinks } from '../../src/contract/reservation.js';
import { identityOf } from '../../src/domain/reservation/entry-identity.js';
import type { TimelineEntry } from '../../src/domain/reservation/types.js';

/** What replayed runs asked to be recorded and posted, by reservation: one line each. */
export type Emitted = Map<number, string[]>;

interface Rows {
  reservationId: number;
  verdicts?: { inboxId: number; replay?: number; verdict: string; rule: string }[];
  entries: TimelineEntry[];
}

interface Noting {
  converter: DataConverter;
  sinks: InjectedSinks<RowSinks>;
  emitted: Emitted;
}

/**
 * A data converter and sinks that also note what a replay passes to `record` and `postAttention`, and directly to its worker. Neither
 * inputs of local activities nor those of sinks stand in a history, so a replay compares none of them.
 */
export function noting(converter: DataConverter): Noting {
  const emitted: Emitted = new Map();
  const add = (rows: Rows) =>
    emitted.set(rows.reservationId, [...(emitted.get(rows.reservationId) ?? []), ...linesOf(rows)]);
  const note = (payload: Payload) => {
    const rows = rowsOf(payload);
    if (rows !== null) add(rows);
  };
  const payloadCodecs = (converter.payloadCodecs ?? []).map(({ encode, decode }) => ({
    encode: (payloads: Payload[]) => {
      payloads.forEach(note);
      return encode(payloads);
    },
    decode: (payloads: Payload[]) => decode(payloads),
  }));
  const sinks = {
    rows: { store: { fn: (_: unknown, rows: Rows) => void add(rows), callDuringReplay: true } },
  };
  return { converter: { ...converter, payloadCodecs }, sinks, emitted };
}

function rowsOf({ data }: Payload): Rows | null {
  if (!data) return null;
  try {
    const value = JSON.parse(Buffer.from(data).toString());
    return typeof value?.reservationId === 'number' && Array.isArray(value.entries) ? value : null;
  } catch {
    return null;
  }
}

function linesOf({ verdicts, entries }: Rows): string[] {
  const what = verdicts === undefined ? 'posted' : 'entry';
  return [
    ...(verdicts ?? []).map(
      ({ inboxId, replay = 0, verdict, rule }) => `verdict ${inboxId}.${replay} ${verdict} ${rule}`,
    ),
    ...entries.map(
      (entry) =>
        `${what} ${entry.seq} ${entry.kind} ${entry.rule} ${identityOf(entry)} ${identityOf(unworded(entry))}`,
    ),
  ];
}

/** The entry without its text and its alert's: a rewording does not change it. */
function unworded({ attention, ...entry }: TimelineEntry): TimelineEntry {
  return { ...entry, text: '', ...(attention && { attention: { ...attention, alert: '' } }) };
}

/** As text, for a snapshot. */
export function textOf(emitted: Emitted): string {
  const reservations = [...emitted].map(([id, lines]) => [
    `reservation ${id}`,
    ...lines.map((line) => `  ${line}`),
  ]);
  return `${reservations.flat().join('\n')}\n`;
}

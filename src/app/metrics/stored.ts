import type { Registry } from 'prom-client';
import { countOpenAlerts } from '../../store/alerts/count.js';
import { readTableSizes } from '../../store/connection/sizes.js';
import { countOverdue, type StoredFor } from '../../store/erasure/due.js';
import type { HandoverDb } from '../../store/handover.js';
import { countOpenReservations } from '../../store/reservations/count.js';
import { createRowChecks } from '../../store/reservations/row-checks.js';
import { readAtScrape } from './read-at-scrape.js';

/** These read whole tables. */
const sharedForMs = 60_000;

/** Erasures run every hour. */
const overdueSharedForMs = 600_000;

/** Shows what the database holds: open reservations, open alerts, overdue erasures, the check of lists, the size of each table. */
export function showStored(registry: Registry, db: HandoverDb, storedFor: StoredFor): void {
  readAtScrape(registry, () => countOverdue(db, storedFor, Date.now()), overdueSharedForMs)(
    'handover_personal_data_overdue',
    'Reservations, bookings and holds whose personal data or photos were due for erasure a day ago, as of the last ten minutes',
    (overdue) => overdue,
  );
  readAtScrape(registry, () => countOpenAlerts(db))(
    'handover_alerts_open',
    'Open alerts that belong to no reservation, by kind',
    (open) => Object.entries(open).map(([kind, value]) => ({ labels: { kind }, value })),
    ['kind'],
  );
  const reservations = readAtScrape(registry, () => countOpenReservations(db), sharedForMs);
  reservations(
    'handover_reservations_open',
    'Open reservations by status, as of the last minute',
    (counted) => counted.map(({ status, open }) => ({ labels: labelsOf(status), value: open })),
    ['status'],
  );
  reservations(
    'handover_reservations_with_attention',
    'Open reservations with an attention item by status, as of the last minute',
    (counted) => counted.map((one) => ({ labels: labelsOf(one.status), value: one.withAttention })),
    ['status'],
  );
  const lists = readAtScrape(registry, createRowChecks(db).progress, sharedForMs);
  lists(
    'handover_lists_unchecked_reservations',
    'Rows of lists that a check which is due or under way has still to compare with their workflows, as of the last minute',
    ({ unchecked }) => unchecked,
  );
  lists(
    'handover_lists_checked_seconds',
    'Since when the last check of lists has ended, or the one under way runs',
    ({ ageMs }) => (ageMs === null ? [] : ageMs / 1000),
  );
  const tables = readAtScrape(registry, () => readTableSizes(db), sharedForMs);
  tables(
    'handover_database_table_bytes',
    'Size of each table with its indexes, as of the last minute',
    (sizes) => sizes.map(({ table, bytes }) => ({ labels: { table }, value: bytes })),
    ['table'],
  );
  tables(
    'handover_database_table_rows',
    'Rows of each table as the database estimates them, as of the last minute',
    (sizes) => sizes.map(({ table, rows }) => ({ labels: { table }, value: rows })),
    ['table'],
  );
}

const labelsOf = (status: number | null) => ({ status: String(status ?? 'unknown') });

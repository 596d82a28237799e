import { Counter, Histogram, type Registry } from 'prom-client';
import { type OnStatement, pools } from '../../store/connection/on-statement.js';

/** Counts the statements of this process. */
export function createDatabaseMeasures(registry: Registry): OnStatement {
  const labelNames = ['pool'] as const;
  const registers = [registry];
  const seconds = new Histogram({
    name: 'handover_database_statement_seconds',
    help: 'Time of statements, transactions and commits, with the wait for a connection',
    labelNames,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const failures = new Counter({
    name: 'handover_database_failures_total',
    help: 'Statements, transactions and commits that failed or had no answer in time',
    labelNames,
    registers,
  });
  for (const pool of pools) failures.inc({ pool }, 0);
  return ({ pool, seconds: elapsed, failed }) => {
    seconds.observe({ pool }, elapsed);
    if (failed) failures.inc({ pool });
  };
}

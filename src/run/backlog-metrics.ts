import { Gauge, type Registry } from 'prom-client';
import { SharedReads } from '../api/shared-reads.js';
import type { HandoverDb } from '../db/handover.js';
import { backlog } from '../intake/backlog.js';

type Backlog = Awaited<ReturnType<typeof backlog>>;

/** Shows what the relay has still to send, read when somebody asks; a database that does not answer shows nothing. */
export function showBacklog(registry: Registry, db: HandoverDb): void {
  const reads = new SharedReads<Backlog>(1_000);
  const gauge = (name: string, help: string, value: (found: Backlog) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const found = await reads.get('', () => backlog(db)).catch(() => undefined);
        if (found === undefined) this.remove();
        else this.set(value(found));
      },
    });
  gauge('handover_inbox_waiting_events', 'Stored callbacks that no workflow has yet', ({ events }) => events);
  gauge('handover_inbox_oldest_waiting_seconds', 'Age of the oldest of them, 0 for none', ({ oldestAt }) =>
    oldestAt === null ? 0 : Math.max(0, Date.now() - oldestAt) / 1000,
  );
}

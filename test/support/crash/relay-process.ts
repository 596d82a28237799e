import { pino } from 'pino';
import { Relay } from '../../../src/inbox/relay/relay.js';
import { ShardOwner } from '../../../src/inbox/relay/shard-owner.js';
import { openHandoverDatabase } from '../../../src/store/handover.js';
import { wire } from '../callbacks.js';
import { sealer } from '../intake.js';
import { withoutVerdicts } from '../without-verdicts.js';

/** What a relay's process reports; times are instants. */
export type FromRelay =
  | { kind: 'active' }
  | { kind: 'sent'; at: number; reservationId: number; inboxIds: number[] };

/** A relay in a process of its own, to be frozen: the parent is the engine that it sends to. */
const [url = '', leaseMs = ''] = process.argv.slice(2);
const { db, session } = await openHandoverDatabase({ url, folder: '', poolSize: 4 });
const report = (message: FromRelay) => process.send?.(message);
const log = pino({ level: 'silent' });

process.on('disconnect', () => process.exit(1));
new ShardOwner({
  session,
  log,
  leaseMs: Number(leaseMs),
  everyMs: 100,
  relay: (shards) =>
    new Relay({
      db,
      wire,
      sealer,
      log,
      shards,
      pollMs: 20,
      coalesceMs: 5,
      unjudged: withoutVerdicts(),
      recordLate: async () => {},
      async send(reservationId, events) {
        const inboxIds = events.map(({ inboxId }) => inboxId);
        report({ kind: 'sent', at: Date.now(), reservationId, inboxIds });
        return 'sent';
      },
    }),
  duties: () => {
    report({ kind: 'active' });
    return [];
  },
}).start();

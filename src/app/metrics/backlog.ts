import type { Registry } from 'prom-client';
import { heldShards, readRelays } from '../../inbox/relay/read-relays.js';
import { backlog } from '../../store/callbacks/backlog.js';
import type { HandoverDb } from '../../store/handover.js';
import { deadPosts, waitingPosts } from '../../store/outbox/queue.js';
import type { Destination } from '../../store/schema.js';
import { readAtScrape } from './read-at-scrape.js';

/** Shows the backlog to the workflows, to ALERT_URL and to FORWARD_URL, read at each scrape. */
export function showBacklog(registry: Registry, db: HandoverDb): void {
  const inbox = readAtScrape(registry, () => backlog(db));
  inbox('handover_inbox_waiting_events', 'Stored callbacks that no workflow has yet', ({ events }) => events);
  inbox('handover_inbox_oldest_waiting_seconds', 'Age of the oldest of them, 0 for none', secondsSince);
  inbox(
    'handover_inbox_oldest_unjudged_seconds',
    'Since when the oldest callback is with its workflow that has no verdict, 0 for none',
    ({ unjudgedAt }) => secondsSince({ oldestAt: unjudgedAt }),
  );
  inbox('handover_inbox_newest_event_seconds', 'Age of the newest callback, 0 for none', ({ newestAt }) =>
    secondsSince({ oldestAt: newestAt }),
  );
  inbox(
    'handover_inbox_resends',
    'Sends that were repeated because the workflow gave no verdict, of the callbacks that are stored',
    ({ resends }) => resends,
  );
  inbox('handover_inbox_dead_letters', 'Callbacks that were given up', ({ deadLetters }) => deadLetters);
  const relays = readAtScrape(registry, () => readRelays(db));
  relays(
    'handover_relay_shards',
    'Shards of the relay, of 16, that belong to a process: callbacks of the others wait',
    heldShards,
  );
  relays('handover_relay_processes', 'Processes that relay', ({ processes }) => processes.length);
  const outbox = readAtScrape(registry, () => waitingPosts(db, 'alerts'));
  outbox(
    'handover_outbox_waiting_posts',
    'Alerts that their receiver has not accepted yet',
    ({ posts }) => posts,
  );
  outbox('handover_outbox_oldest_waiting_seconds', 'Age of the oldest of them, 0 for none', secondsSince);
  const forward = readAtScrape(registry, () => waitingPosts(db, 'forward'));
  forward(
    'handover_forward_waiting_events',
    'Accepted callbacks that FORWARD_URL has not accepted yet',
    ({ posts }) => posts,
  );
  forward('handover_forward_oldest_waiting_seconds', 'Age of the oldest of them, 0 for none', secondsSince);
  const showDead = (destination: Destination, name: string, what: string) =>
    readAtScrape(registry, () => deadPosts(db, destination))(
      name,
      `${what} that were refused for too long`,
      (posts) => posts,
    );
  showDead('alerts', 'handover_outbox_dead_letters', 'Alerts');
  showDead('forward', 'handover_forward_dead_letters', 'Accepted callbacks for FORWARD_URL');
}

function secondsSince({ oldestAt }: { oldestAt: number | null }): number {
  return oldestAt === null ? 0 : Math.max(0, Date.now() - oldestAt) / 1000;
}

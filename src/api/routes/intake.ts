import { intakeState } from '../schemas/intake.js';
import { problems } from '../schemas/problem.js';
import { SharedReads } from '../shared-reads.js';
import type { IntakeState } from '../window.js';
import type { Api, RouteContext } from './context.js';

/** GET /api/intake: how the receiver does, what waits, and since when no callback came. */
export function intakeRoute(api: Api, { deps, write, requires }: RouteContext): void {
  const reads = new SharedReads<IntakeState>(1_000);
  api.get(
    '/api/intake',
    {
      onRequest: requires('viewer'),
      schema: {
        summary: 'How the intake does: rates, acknowledgements, backlog, silence',
        tags: ['operations'],
        response: { 200: intakeState, ...problems },
      },
    },
    async () => {
      const { receiver, backlog, lastEventAt, deadLetters, relay, forwarding, asOf } = await reads.get(
        '',
        () => deps.intakeState(),
      );
      const given = (at: number | null) => (at === null ? null : write(at));
      const seconds = (at: number) => Math.max(0, asOf - at) / 1000;
      const waiting = ({ events, oldestAt }: { events: number; oldestAt: number | null }) => ({
        events,
        oldestAt: given(oldestAt),
        oldestSeconds: oldestAt === null ? 0 : seconds(oldestAt),
      });
      return {
        receiver: { ...receiver, since: write(receiver.since) },
        backlog: waiting(backlog),
        deadLetters,
        silence: {
          lastEventAt: given(lastEventAt),
          seconds: lastEventAt === null ? null : seconds(lastEventAt),
        },
        relay: relay === null ? null : { ...relay, since: given(relay.since) },
        forwarding: forwarding === null ? null : waiting(forwarding),
        asOf: write(asOf),
      };
    },
  );
}

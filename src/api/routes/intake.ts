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
      const { receiver, backlog, lastEventAt, deadLetters, relay, asOf } = await reads.get('', () =>
        deps.intakeState(),
      );
      const given = (at: number | null) => (at === null ? null : write(at));
      const seconds = (at: number) => Math.max(0, asOf - at) / 1000;
      return {
        receiver: { ...receiver, since: write(receiver.since) },
        backlog: {
          events: backlog.events,
          oldestAt: given(backlog.oldestAt),
          oldestSeconds: backlog.oldestAt === null ? 0 : seconds(backlog.oldestAt),
        },
        deadLetters,
        silence: {
          lastEventAt: given(lastEventAt),
          seconds: lastEventAt === null ? null : seconds(lastEventAt),
        },
        relay: relay === null ? null : { ...relay, since: given(relay.since) },
        asOf: write(asOf),
      };
    },
  );
}

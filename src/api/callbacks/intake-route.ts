import type { Api, RouteContext } from '../http/context.js';
import { problems } from '../http/problem-schema.js';
import { shareRead } from '../http/share-read.js';
import { intakeState } from './intake-schemas.js';

/** GET /api/intake: rates of the receiver, the backlog, and the time since the last callback. */
export function intakeRoute(api: Api, { deps, write, requires }: RouteContext): void {
  const readIntake = shareRead(() => deps.intakeState());
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
      const { receiver, backlog, unjudged, lastEventAt, deadLetters, relays, forwarding, asOf } =
        await readIntake();
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
        unjudged: waiting(unjudged),
        deadLetters,
        silence: {
          lastEventAt: given(lastEventAt),
          seconds: lastEventAt === null ? null : seconds(lastEventAt),
        },
        relay: relays.leader && { ...relays.leader, since: write(relays.leader.since) },
        relays: relays.processes.map((one) => ({ ...one, since: write(one.since) })),
        forwarding: forwarding === null ? null : waiting(forwarding),
        asOf: write(asOf),
      };
    },
  );
}

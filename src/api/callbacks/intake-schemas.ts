import { z } from 'zod';
import { moment as instantOfAnswer } from '../http/fields.js';

const rate = z.object({ perSecond1m: z.number(), perSecond5m: z.number() });
const moment = instantOfAnswer.nullable();

export const intakeState = z
  .object({
    receiver: z
      .object({
        since: instantOfAnswer.describe('When this process began to count'),
        accepted: rate,
        refused: rate.describe('Answered 4xx: not authentic, too large, broken off'),
        overloaded: rate.describe('Answered 503: the sender comes back'),
        acknowledgedMs: z
          .object({ p50: z.number(), p99: z.number() })
          .nullable()
          .describe('Over the last five minutes; null where none was acknowledged'),
      })
      .describe('Of the process that answers; others have figures of their own'),
    backlog: z.object({ events: z.int(), oldestAt: moment, oldestSeconds: z.number() }),
    unjudged: z
      .object({
        events: z.int().describe('With those that are sent again, which are in `backlog` too'),
        oldestAt: moment.describe('When it was sent'),
        oldestSeconds: z.number(),
      })
      .describe('Callbacks that were sent to their reservations and have no verdict yet'),
    deadLetters: z.int(),
    silence: z.object({ lastEventAt: moment, seconds: z.number().nullable() }),
    relay: z
      .object({
        since: z.string().describe('When it became that'),
        address: z
          .string()
          .nullable()
          .describe('Where it connects to the database from; null: the machine of the database'),
      })
      .nullable()
      .describe('The one of `relays` that also watches the inbox and purges old rows; null: none does'),
    relays: z
      .array(
        z.object({
          shards: z.int().describe('Of 16; those of all relays together'),
          since: instantOfAnswer.describe('When it got the newest of them'),
          address: z
            .string()
            .nullable()
            .describe('Where it connects to the database from; null: its machine'),
        }),
      )
      .describe(
        'Relays that send callbacks, each those of its shards; callbacks of a shard that none has wait',
      ),
    forwarding: z
      .object({
        events: z.int().describe('Counted up to 25,000'),
        oldestAt: moment,
        oldestSeconds: z.number(),
      })
      .nullable()
      .describe('Accepted callbacks that FORWARD_URL has not accepted yet; null: nothing is forwarded'),
    asOf: instantOfAnswer,
  })
  .describe('How the intake does');

import { z } from 'zod';
import { advanceTo, advanceToNext, nextInstant, storeClock } from '../../actions/advance.js';
import type { Sandbox } from '../../context.js';
import { Refusal } from '../../core/refusal.js';
import { iso, moment } from './moment.js';
import type { ControlScope } from './scope.js';

const duration = z
  .string()
  .regex(/^P(?=.)(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+S)?)?$/, 'expected an ISO 8601 duration such as PT2H')
  .transform((text) => {
    const amount = (unit: string) => Number(new RegExp(`(\\d+)${unit}`).exec(text)?.[1] ?? 0);
    return ((amount('D') * 24 + amount('H')) * 3600 + amount('M') * 60 + amount('S')) * 1000;
  });

const setting = z.union(
  [
    z.strictObject({ freeze: z.literal(true), at: moment.exactOptional() }),
    z.strictObject({ resume: z.literal(true) }),
    z.strictObject({ advanceTo: moment }),
    z.strictObject({ advanceBy: duration }),
    z.strictObject({ advanceToNext: z.literal(true) }),
  ],
  'expected one of { freeze: true, at? }, { resume: true }, { advanceTo }, { advanceBy: "PT2H" }, { advanceToNext: true }',
);

/** The last time of the clock: later rules still end within the years that a timestamp can have. */
const end = Date.parse('9000-01-01T00:00:00Z');

const note = 'the platform’s time only: a running Handover keeps its engine’s clock';

/**
 * The platform's clock. An advance is answered after everything that fell due on the way was done, in order, each at
 * its own instant.
 */
export function registerClock(scope: ControlScope, sandbox: Sandbox): void {
  const { clock, agenda } = sandbox;
  const readView = async () => {
    const next = await nextInstant(sandbox);
    return { mode: clock.mode, now: iso(clock.now()), next: next === null ? null : iso(next), note };
  };

  let turn: Promise<unknown> = Promise.resolve();

  scope.get('/clock', async () => readView());
  scope.post('/clock', { schema: { body: setting } }, ({ body }) => {
    const mine = turn.then(() => apply(body)); // one at a time: two advances would drive each other
    turn = mine.catch(() => {});
    return mine;
  });

  async function apply(body: z.infer<typeof setting>) {
    if ('resume' in body) {
      clock.resume();
      await agenda.wake();
    } else if ('freeze' in body) {
      if (body.at !== undefined) assertAhead(body.at);
      clock.freeze();
      if (body.at !== undefined) await advanceTo(sandbox, body.at);
    } else if ('advanceTo' in body) await advance(body.advanceTo);
    else if ('advanceBy' in body) await advance(clock.now() + body.advanceBy);
    else await advanceToNext(sandbox);
    await storeClock(sandbox);
    return readView();
  }

  function advance(at: number): Promise<void> {
    assertAhead(at);
    return advanceTo(sandbox, at);
  }

  function assertAhead(at: number): void {
    if (!(at <= end)) throw new Refusal('ILLEGAL_STATE', `the clock ends at ${iso(end)}`);
    if (at >= clock.now()) return;
    throw new Refusal(
      'ILLEGAL_STATE',
      `the clock never goes backwards: it shows ${iso(clock.now())} (POST /sandbox/reset starts it again)`,
    );
  }
}

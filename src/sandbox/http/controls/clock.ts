import { z } from 'zod';
import { advanceTo, keepClock, nextInstant } from '../../actions/advance.js';
import type { Sandbox } from '../../context.js';
import { Refusal } from '../../core/refusal.js';
import type { ControlScope } from './index.js';
import { iso, moment } from './moment.js';

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

const note = 'the platform’s time only: a running Handover keeps its engine’s clock';

/**
 * The platform's clock. The answer to an advance comes when everything that fell due on the way has been done, in
 * order, each at its own instant.
 */
export function registerClock(scope: ControlScope, sandbox: Sandbox): void {
  const { clock, agenda } = sandbox;
  const shown = () => ({ mode: clock.mode, now: iso(clock.now()), note });

  scope.get('/clock', async () => shown());
  scope.post('/clock', { schema: { body: setting } }, async ({ body }) => {
    if ('resume' in body) {
      clock.resume();
      await agenda.wake();
    } else if ('freeze' in body) {
      clock.freeze();
      if (body.at !== undefined) await advance(body.at);
    } else if ('advanceTo' in body) await advance(body.advanceTo);
    else if ('advanceBy' in body) await advance(clock.now() + body.advanceBy);
    else await advance((await nextInstant(sandbox)) ?? clock.now());
    await keepClock(sandbox);
    return shown();
  });

  async function advance(at: number): Promise<void> {
    if (at < clock.now()) throw new Refusal('INVALID_REQUEST', 'the clock never goes backwards');
    await advanceTo(sandbox, at);
  }
}

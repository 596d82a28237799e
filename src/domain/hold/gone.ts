import { type Instant, stamp } from '../shared/time.js';
import { commandMark, contentOf, type EndHold } from './commands.js';
import { message } from './messages/message.js';
import type { HoldCommandView, HoldFacts, HoldView } from './view.js';

// F16: an open hold whose workflow was ended from outside, or is no longer known to Temporal.

const kind = 'workflow-gone';
const code = 'HOLD_WORKFLOW_GONE';
const setByHold: readonly string[] = ['ours', 'restoring', 'setting'];

export function isWithoutWorkflow({ open, attention }: Pick<HoldView, 'open' | 'attention'>): boolean {
  return open && attention.some((item) => item.kind === kind);
}

/**
 * The hold as people see it, with what is in place on the platform as far as it was recorded.
 * @param since when the workflow ended, or was last known to run
 */
export function withoutWorkflow(hold: HoldView, since: Instant, zoneOffsetMinutes: number): HoldView {
  const { holdId } = hold;
  const item = {
    kind,
    since: stamp(since, zoneOffsetMinutes),
    code,
    message: message('hold.workflow-gone', { holdId }),
    left: leftInPlace(hold),
  } as const;
  return { ...hold, state: 'attention', attention: [item, ...hold.attention] };
}

/** The hold closed by a manager (F13). Nothing was undone: its `attention` names what to remove by hand. */
export function closeWithoutWorkflow(
  hold: HoldView,
  input: EndHold,
  now: Instant,
  zoneOffsetMinutes: number,
): { hold: HoldView; command: HoldCommandView } {
  const at = stamp(now, zoneOffsetMinutes);
  const { commandId, by } = input;
  const mark = commandMark({ action: 'resolve', asked: contentOf(input) });
  const command = { commandId, action: 'resolve', by, at, outcome: 'applied', refused: null, mark } as const;
  const before = message('hold.resolved-before', {});
  const open = { outcome: 'rejected', refused: { code, message: before } } as const;
  const commands = hold.commands.map((one) => (one.outcome === 'out' ? { ...one, ...open } : one));
  const how = message('hold.resolved-without-workflow', { holdId: hold.holdId });
  return {
    command,
    hold: {
      ...hold,
      state: 'resolved',
      open: false,
      endedAt: at,
      attention: hold.attention
        .filter((item) => item.kind === kind)
        .map((item) => ({ ...item, message: how })),
      commands: [...commands, command],
    },
  };
}

function leftInPlace({ schedule: { scheduleId, state }, memoId, sale }: HoldView): string[] {
  return [
    ...(scheduleId === null || state === 'gone' ? [] : [`schedule/${scheduleId}`]),
    ...(memoId === null ? [] : [`memo/${memoId}`]),
    ...sale.filter((one) => setByHold.includes(one.state)).map(({ productId }) => `product/${productId}`),
  ];
}

/** What lists show of it. */
export function factsOfView(hold: HoldView): HoldFacts {
  const { holdId, carId, state, open, withdrawFromSale, reservationId, period, endedAt } = hold;
  return {
    holdId,
    carId,
    state,
    open,
    withdrawFromSale,
    reservationId,
    period: { start: Date.parse(period.start), end: Date.parse(period.end) },
    createdAt: Date.parse(hold.createdAt),
    endedAt: endedAt === null ? null : Date.parse(endedAt),
    attention: hold.attention.map((item) => item.kind),
  };
}

import { actionOptions } from '../../domain/reservation/action-options.js';
import { type DoneStep, doneSteps } from '../../domain/reservation/done-steps.js';
import { erasedMark } from '../../domain/reservation/erased-view.js';
import type {
  ActionOption,
  AttentionView,
  CommandView,
  ReservationView,
} from '../../domain/reservation/index.js';
import type { Claims } from '../../store/reservations/claims.js';
import type { ApiDeps } from '../deps.js';
import type { Caller } from '../http/auth.js';
import { byPlatform } from '../http/outcome.js';
import { recordReservationRead } from '../http/record-read.js';
import { type Render, type Rendered, rendered } from '../http/sentences.js';

type Owned = ReservationView & { attention: (AttentionView & { owner?: string | null })[] };

type Visible = Omit<Rendered<Owned>, 'progress'> & {
  actions: (Rendered<ActionOption> & { done: DoneStep | null })[];
};

/** The reservation in the caller's language, with what becomes of each staff action. */
export function visible(view: Owned, render: Render): Visible {
  const { progress: _, decisions, closed, ...rest } = view;
  const commands = view.commands.map(withPlatformText);
  const done = doneSteps(view);
  const actions = actionOptions(view).map((option) => ({ ...option, done: done[option.action] }));
  return rendered({ ...rest, commands, actions, decisions, closed }, render);
}

/** The reason of a person stays as it was written. */
export function withPlatformText(command: CommandView): CommandView {
  const { code, message, settledBy } = command;
  return message === null || settledBy === 'person'
    ? command
    : { ...command, message: byPlatform(code, message) };
}

/**
 * The same with the owners of its items. Staff who are shown personal data of a closed one are in the audit, also where they repeat an earlier
 * request.
 */
export async function shownReservation(
  deps: Pick<ApiDeps, 'claims' | 'audit' | 'clock'>,
  { name, role }: Caller,
  view: ReservationView,
  render: Render,
): Promise<Visible> {
  if (role !== 'viewer' && view.closed && !view.marks.includes(erasedMark))
    await recordReservationRead(deps, name, view.reservationId);
  return visible(await withOwners(deps.claims, view), render);
}

/** The view with the owners of its items; without them where the database gives no answer. */
async function withOwners(claims: Pick<Claims, 'ownersOf'>, view: ReservationView): Promise<Owned> {
  if (view.attention.length === 0) return view;
  const owners = await claims.ownersOf(view.reservationId).catch(() => undefined);
  if (owners === undefined) return view;
  return {
    ...view,
    attention: view.attention.map((item) => ({ ...item, owner: owners[item.kind] ?? null })),
  };
}

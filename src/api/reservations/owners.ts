import { actionOptions } from '../../domain/reservation/action-options.js';
import type {
  ActionOption,
  AttentionView,
  CommandView,
  ReservationView,
} from '../../domain/reservation/index.js';
import type { Claims } from '../../store/reservations/claims.js';
import { byPlatform } from '../http/outcome.js';
import { type Render, type Rendered, rendered } from '../http/sentences.js';

type Owned = ReservationView & { attention: (AttentionView & { owner?: string | null })[] };

type Visible = Omit<Rendered<Owned>, 'progress'> & { actions: Rendered<ActionOption>[] };

/** The reservation in the caller's language, with what becomes of each staff action. */
export function visible(view: Owned, render: Render): Visible {
  const { progress: _, decisions, closed, ...rest } = view;
  const commands = view.commands.map(withPlatformText);
  return rendered({ ...rest, commands, actions: actionOptions(view), decisions, closed }, render);
}

/** The reason of a person stays as it was written. */
export function withPlatformText(command: CommandView): CommandView {
  const { code, message, settledBy } = command;
  return message === null || settledBy === 'person'
    ? command
    : { ...command, message: byPlatform(code, message) };
}

/** The same with the owners of its items. */
export async function shownReservation(
  claims: Pick<Claims, 'ownersOf'>,
  view: ReservationView,
  render: Render,
): Promise<Visible> {
  return visible(await withOwners(claims, view), render);
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

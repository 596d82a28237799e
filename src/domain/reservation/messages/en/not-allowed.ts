import type { Action } from '../../types.js';
import { actionName, named } from './names.js';

/** What the role or the status does not allow (L20): refused at once, or given up at its turn. */
export const notAllowed = {
  'refused.role-off': ({ action }: { action: Action }) =>
    `No supplier key is set, so this deployment cannot ${actionName(action)}. An operator sets PLATFORM_SUPPLIER_API_KEY.`,
  'refused.terminal': ({ action, status }: { action: Action; status: number }) =>
    `The reservation has ended at ${named(status)}: it is too late to ${actionName(action)}.`,
  'refused.past': ({ action, status }: { action: Action; status: number }) =>
    `Too late to ${actionName(action)}: the reservation is already at ${named(status)}. Read the reservation for its present status.`,
  'refused.behind': ({
    action,
    status,
    allowed,
  }: {
    action: Action;
    status: number | null;
    allowed: readonly number[];
  }) => {
    const here = status === null ? 'no status is known yet' : `it is believed at ${named(status)}`;
    const needs = allowed.map(named).join(' or ');
    return `The status is too early: ${here}, and to ${actionName(action)} it must be at ${needs}. A callback may be lost: an override with a reason lets the platform decide.`;
  },
} as const;

import type { Action, CommandState } from '../types.js';
import { actionNames, actionTitle } from './names.js';

export function pressed(action: Action, by: string, overridden: boolean): string {
  return `${by} asked to ${actionNames[action]}${overridden ? ', with an override' : ''}.`;
}
const outcomeTexts: Readonly<Record<CommandState, string>> = {
  queued: 'waits for its turn',
  out: 'sent',
  waiting: 'the platform could not take it; it will be sent again',
  suspended: 'the key of its role does not work; it resumes when it does',
  applied: 'applied',
  rejected: 'rejected',
  unknown: 'it may or may not have happened',
};
export function outcome(action: Action, state: CommandState, code: string | null): string {
  return `${actionTitle(action)}: ${outcomeTexts[state]}${code === null ? '' : ` (${code})`}.`;
}
export function settledByCallback(action: Action): string {
  return `${actionTitle(action)}: applied, as a callback shows.`;
}
export function settledByPerson(action: Action, by: string, state: CommandState): string {
  return `${by} settled "${actionNames[action]}" as ${state}.`;
}
export function asserted(by: string, names: string[]): string {
  return `${by} asserted: ${names.join(', ')}.`;
}
export function roleRestored(action: Action): string {
  return `${actionTitle(action)}: the key of its role works again; it is sent now.`;
}
export const forbidden = 'The platform forbids this action to a key that works: it is about this reservation';
export const noMoreTries = 'the time for further attempts is over';

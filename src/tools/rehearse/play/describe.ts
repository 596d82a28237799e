import type { Deed } from '../format/step.js';
import { showDuration } from '../format/times.js';

type Fault = Extract<Deed, { who: 'platform' }>['fault'];

const moves = {
  book: 'books',
  'start-use': 'takes the car into use',
  return: 'returns the car',
  cancel: 'cancels',
};

/** A short text of who does what. */
export function describeDeed(deed: Deed): { who: string; text: string } {
  switch (deed.who) {
    case 'customer':
      return { who: 'customer', text: moves[deed.move] };
    case 'staff': {
      const why = deed.override === undefined ? '' : `, against the rules: ${deed.override}`;
      return { who: 'staff', text: `${deed.actions.join(', ')}${why}` };
    }
    case 'website':
      return { who: 'web site', text: describeChange(deed.change) };
    case 'manager':
      return { who: 'manager', text: `${describeManagerAct(deed.act)}, because: ${deed.act.because}` };
    case 'platform':
      return { who: 'platform', text: describeFault(deed.fault) };
    case 'handover':
      return {
        who: 'Handover',
        text: deed.change === 'worker-stops' ? 'every worker stops' : 'a worker is there again',
      };
  }
}

function describeChange(change: Extract<Deed, { who: 'website' }>['change']): string {
  if ('action' in change) return `the action ${change.action} there`;
  const { start, end, car, companion, driver } = change;
  const word = (at: typeof start) => (at === undefined ? '' : `${at.anchor}${offset(at.offsetMs)}`);
  const parts = [
    ...(start === undefined ? [] : [`the start is moved to ${word(start)}`]),
    ...(end === undefined ? [] : [`the end is moved to ${word(end)}`]),
    ...(car === undefined ? [] : [car === 'first' ? 'back to the first car' : 'another car is assigned']),
    ...(companion === undefined ? [] : [`a companion is ${companion}`]),
    ...(driver === undefined ? [] : ['the driver is changed']),
  ];
  return parts.join(', ');
}

function offset(ms: number): string {
  return ms === 0 ? '' : `${ms < 0 ? '-' : '+'}${showDuration(ms)}`;
}

function describeManagerAct({
  asserts,
  settles,
  as,
  resolves,
}: Extract<Deed, { who: 'manager' }>['act']): string {
  if (asserts !== undefined) {
    const { status, car, start, end } = asserts;
    const facts = [
      ...(status === undefined ? [] : [`status ${status}`]),
      ...(car === undefined ? [] : [`${car} car`]),
      ...(start === undefined && end === undefined ? [] : ['period']),
    ];
    return `asserts ${facts.join(', ')}`;
  }
  return settles === undefined ? `resolves ${resolves}` : `settles ${settles} as ${as}`;
}

function describeFault({
  loses,
  delays,
  repeats,
  garbles,
  by = 0,
  answers,
  with: how,
  key,
  sends,
  times,
}: Fault): string {
  const often = times === undefined || times === 1 ? '' : ` (${times} times)`;
  const about = (word: string | number) =>
    typeof word === 'number'
      ? `the callbacks for ${word}`
      : word === 'all'
        ? 'a callback'
        : `a ${word} callback`;
  if (loses !== undefined) return `will lose ${about(loses)}${often}`;
  if (delays !== undefined) return `will deliver ${about(delays)} ${showDuration(by)} late${often}`;
  if (repeats !== undefined) return `will deliver ${about(repeats)} twice${often}`;
  if (garbles !== undefined) return `will cut off ${about(garbles)}${often}`;
  if (answers !== undefined) return `will answer ${answers} with ${how}${often}`;
  if (key !== undefined) return `the key is ${key}`;
  if (sends === undefined) return 'nothing';
  const status = sends.status === undefined ? '' : ` with status ${sends.status}`;
  return `sends ${sends.broken === true ? 'a broken ' : 'another '}${sends.event} callback${status}`;
}

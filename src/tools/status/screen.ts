import { mayBeMore } from '../../temporal/client/stuck-workflows.js';
import type { Status } from './types.js';

/** True where nothing needs a person. */
export function isSound({ components, intake, alerts, stuckWorkflows }: Status): boolean {
  return (
    components.every(({ state }) => state === 'ok') &&
    intake !== null &&
    intake.shards.held === intake.shards.of &&
    alerts?.length === 0 &&
    (stuckWorkflows?.length ?? 0) === 0
  );
}

const mostLines = 8;

/** One terminal screen: at most eight lines of anything that may be long. */
export function toScreen(status: Status): string {
  const { asOf, version, components, statusApis, intake, suspendedRoles, alerts, stuckWorkflows } = status;
  const unknown = 'cannot be read';
  const isTemporalRead = components.some(({ name, state }) => name === 'Temporal' && state === 'ok');
  const noStuckWorkflows = isTemporalRead ? 'not reported by the server' : unknown;
  const list = (items: readonly string[]) => [
    ...items.slice(0, mostLines).map((item) => `    ${item}`),
    ...(items.length > mostLines ? [`    and ${items.length - mostLines} more (--json has all)`] : []),
  ];
  const row = (name: string, text: string) => `  ${name.padEnd(22)}${text}`;
  return [
    `Handover ${version}, ${asOf}`,
    '',
    ...components.map(({ name, state, detail }) => row(`${state === 'ok' ? '✓' : '✗'} ${name}`, detail)),
    '',
    row('waiting callbacks', intake === null ? unknown : String(intake.waiting)),
    row('oldest waits for', intake === null ? unknown : ageOf(intake.oldestWaitingSeconds)),
    row('dead letters', intake === null ? unknown : String(intake.deadLetters)),
    row(
      'shards of the relay',
      intake === null
        ? unknown
        : `${intake.shards.held} of ${intake.shards.of}, in ${intake.shards.processes.length} processes`,
    ),
    ...(intake === null
      ? []
      : list(intake.shards.processes.map((one) => `${one.shards} at ${placeOf(one.address)}`))),
    row('status APIs', statusApis === null ? unknown : String(statusApis.length)),
    ...list((statusApis ?? []).map((address) => `at ${placeOf(address)}`)),
    row('suspended roles', suspendedRoles === null ? unknown : suspendedRoles.join(', ') || 'none'),
    row('stuck workflows', stuckWorkflows === null ? noStuckWorkflows : countOf(stuckWorkflows)),
    ...list(stuckWorkflows ?? []),
    row('open alerts', alerts === null ? unknown : String(alerts.length)),
    ...list((alerts ?? []).map(({ kind, subject, since }) => `${since}  ${kind} ${subject}`.trimEnd())),
  ].join('\n');
}

const placeOf = (address: string | null) => address ?? 'the machine of the database';

const countOf = (stuck: readonly string[]) => `${stuck.length}${mayBeMore(stuck) ? ' or more' : ''}`;

function ageOf(seconds: number | null): string {
  if (seconds === null) return 'none waits';
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

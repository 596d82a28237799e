import type { ChangeReader } from '../../store/changes/readers.js';
import { mayBeMore } from '../../temporal/client/stuck-workflows.js';
import { groupWorkers } from './components.js';
import type { Component, IntakeStatus, Status } from './types.js';

/** True where nothing needs a person. */
export function isSound({ components, statusApis, intake, alerts, stuckWorkflows }: Status): boolean {
  return (
    components.every(({ state }) => state === 'ok') &&
    // null: the database does not show who follows its changes
    statusApis?.length !== 0 &&
    intake !== null &&
    intake.shards.held === intake.shards.of &&
    alerts?.length === 0 &&
    (stuckWorkflows?.length ?? 0) === 0
  );
}

const mostLines = 8;

/** For the longest name, `✗ workers of the current version`. */
const nameWidth = 34;
/** Of a line with several addresses. */
const widest = 100;

/** One terminal screen: at most eight lines of anything that may be long, and what fails first. */
export function toScreen(status: Status): string {
  const { asOf, version, components, statusApis, intake, suspendedRoles, alerts, stuckWorkflows } = status;
  const unknown = 'cannot be read';
  const isTemporalRead = components.some(({ name, state }) => name === 'Temporal' && state === 'ok');
  const noStuckWorkflows = isTemporalRead ? 'not reported by the server' : unknown;
  const andMore = (count: number) =>
    count > mostLines ? [`    and ${count - mostLines} more (--json has all)`] : [];
  const list = (items: readonly string[]) => [
    ...items.slice(0, mostLines).map((item) => `    ${item}`),
    ...andMore(items.length),
  ];
  const row = (name: string, text: string) => `  ${name.padEnd(nameWidth)}${text}`;
  const shown = failingFirst(groupWorkers(components)).map(({ name, state, detail }) =>
    row(`${state === 'ok' ? '✓' : '✗'} ${name}`, detail),
  );
  return [
    `Handover ${version}, ${asOf}`,
    '',
    ...shown.slice(0, mostLines),
    ...andMore(shown.length),
    '',
    row('waiting callbacks', intake === null ? unknown : String(intake.waiting)),
    row('oldest waits for', intake === null ? unknown : ageOf(intake.oldestWaitingSeconds)),
    row('sent, without a verdict', intake === null ? unknown : unjudgedOf(intake)),
    row('dead letters', intake === null ? unknown : String(intake.deadLetters)),
    row(
      'shards of the relay',
      intake === null
        ? unknown
        : `${intake.shards.held} of ${intake.shards.of}, in ${intake.shards.processes.length} processes`,
    ),
    ...(intake === null
      ? []
      : list(inLines(intake.shards.processes.map((one) => `${one.shards} at ${placeOf(one.address)}`)))),
    row('status APIs', statusApis === null ? unknown : String(statusApis.length)),
    ...list(inLines((statusApis ?? []).map(shownApi))),
    row('suspended roles', suspendedRoles === null ? unknown : suspendedRoles.join(', ') || 'none'),
    row('stuck workflows', stuckWorkflows === null ? noStuckWorkflows : countOf(stuckWorkflows)),
    ...list(stuckWorkflows ?? []),
    row('open alerts', alerts === null ? unknown : String(alerts.length)),
    ...list((alerts ?? []).map(({ kind, subject, since }) => `${since}  ${kind} ${subject}`.trimEnd())),
  ].join('\n');
}

const failingFirst = (components: readonly Component[]) =>
  ['failing', 'ok'].flatMap((state) => components.filter((component) => component.state === state));

/** Items side by side, in as few lines as their widths allow. */
function inLines(items: readonly string[]): string[] {
  const lines: string[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + item.length + 2 <= widest)
      lines[lines.length - 1] = `${last}, ${item}`;
    else lines.push(item);
  }
  return lines;
}

const shownApi = ({ address, release }: ChangeReader) =>
  `at ${placeOf(address)}${release === null ? '' : ` (${release})`}`;

const placeOf = (address: string | null) => address ?? 'the machine of the database';

const countOf = (stuck: readonly string[]) => `${stuck.length}${mayBeMore(stuck) ? ' or more' : ''}`;

function unjudgedOf({ unjudged, oldestUnjudgedSeconds: seconds }: IntakeStatus): string {
  return seconds === null ? String(unjudged) : `${unjudged}, the oldest for ${ageOf(seconds)}`;
}

function ageOf(seconds: number | null): string {
  if (seconds === null) return 'none waits';
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

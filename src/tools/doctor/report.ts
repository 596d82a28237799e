import { type Finding, type GoLive, goLive, type Result, worstOf } from './finding.js';

/** A finding as one line of text. */
export function toLine({ area, check, result, says, todo, gaps = [] }: Finding): string {
  const named = result === 'ok' || gaps.length === 0 ? '' : ` [${gaps.join(' ')}]`;
  const then = todo === undefined ? '' : ` → ${todo}`;
  return `${result.padEnd(4)}  ${area.padEnd(13)}  ${check}: ${says}${named}${then}`;
}

/** The result of each subject that the specification requires before going live: the gravest of its checks. */
export function beforeGoingLive(findings: readonly Finding[]): Record<GoLive, Result> {
  const of = (subject: GoLive) => worstOf(findings.filter((finding) => finding.goLive === subject));
  return { firewall: of('firewall'), authentication: of('authentication'), callbacks: of('callbacks') };
}

/** The summary after all lines. */
export function conclusion(findings: readonly Finding[]): string {
  const live = Object.entries(beforeGoingLive(findings)) as [GoLive, Result][];
  const count = (result: Result) => findings.filter((finding) => finding.result === result).length;
  const contradicted = contradictedIn(findings);
  const gapsLine =
    contradicted.length === 0
      ? []
      : [`The platform contradicts the wire profile in ${contradicted.join(' ')}.`];
  return [
    '',
    'Before going live (specification, Authentication):',
    ...live.map(([subject, result]) => `  ${result.padEnd(4)}  ${goLive[subject]}`),
    '',
    ...gapsLine,
    count('fail') === 0
      ? `Nothing to repair; ${count('warn')} to check.`
      : `${count('fail')} to repair, ${count('warn')} to check.`,
  ].join('\n');
}

/** The whole report as JSON. */
export function asJson(findings: readonly Finding[], at: number): object {
  return {
    ok: isSound(findings),
    at: new Date(at).toISOString(),
    contradicted: contradictedIn(findings),
    beforeGoingLive: beforeGoingLive(findings),
    findings,
  };
}

export function isSound(findings: readonly Finding[]): boolean {
  return findings.every(({ result }) => result !== 'fail');
}

function contradictedIn(findings: readonly Finding[]): string[] {
  const against = findings.filter(({ result }) => result === 'warn' || result === 'fail');
  return [...new Set(against.flatMap(({ gaps = [] }) => gaps))].toSorted();
}

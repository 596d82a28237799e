import type { AccessToken } from '../../api/http/access.js';

export interface BannerFacts {
  apiUrl: string;
  /** Logs the console in by its link; undefined: staff enter a token. */
  loginToken: string | undefined;
  sandboxUrl: string | undefined;
  platformUrl: string;
  temporalAddress: string;
  temporalUi: string | undefined;
  dataDir: string;
  database: string;
  tokens: AccessToken[];
  /** Of a port of its own. */
  callbackUrl: string | undefined;
  /** Absent: Temporal is not connected yet. */
  readyAfterMs: number | undefined;
}

/** The block that `handover up` prints when everything runs, or everything that does not wait for Temporal. */
export function banner(facts: BannerFacts): string {
  const rows: [string, string][] = [
    ['Console', consoleLink(facts)],
    ['Status API', `${facts.apiUrl}/docs`],
    ...(facts.sandboxUrl === undefined
      ? [['Platform', facts.platformUrl] as [string, string]]
      : [['Sandbox', `${facts.sandboxUrl}/docs`] as [string, string]]),
    ...(facts.callbackUrl === undefined ? [] : [['Callbacks', facts.callbackUrl] as [string, string]]),
    [
      'Temporal',
      facts.readyAfterMs === undefined
        ? `${facts.temporalAddress}, not connected yet`
        : facts.temporalAddress,
    ],
    ...(facts.temporalUi === undefined ? [] : [['Temporal UI', facts.temporalUi] as [string, string]]),
    ['Database', facts.database],
    ['Data folder', facts.dataDir],
    ...facts.tokens.map(({ role, token, name }): [string, string] => [
      name === role ? `Token ${role}` : `Token ${role} (${name})`,
      token,
    ]),
  ];
  const width = Math.max(...rows.map(([label]) => label.length));
  const body = rows.map(([label, value]) => `  ${label.padEnd(width)}   ${value}`);
  const ready =
    facts.readyAfterMs === undefined
      ? '  Handover accepts callbacks; all else waits for Temporal. Ctrl-C stops it.'
      : readyLine(facts.readyAfterMs);
  const rule = `  ${'─'.repeat(Math.max(ready.length, ...body.map((line) => line.length)) - 2)}`;
  return ['', ready, rule, ...body, rule, ''].join('\n');
}

/** A browser sends no server what follows the `#`. */
function consoleLink({ apiUrl, loginToken }: BannerFacts): string {
  return loginToken === undefined ? `${apiUrl}/` : `${apiUrl}/#login=${encodeURIComponent(loginToken)}`;
}

/** @param afterMs since the start */
export function readyLine(afterMs: number): string {
  return `  Handover is ready (${(afterMs / 1000).toFixed(1)} s). Ctrl-C stops it.`;
}

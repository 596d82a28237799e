import type { AccessToken } from '../config.js';

export interface BannerFacts {
  apiUrl: string;
  sandboxUrl: string | undefined;
  platformUrl: string;
  temporalAddress: string;
  temporalUi: string | undefined;
  dataDir: string;
  database: string;
  tokens: AccessToken[];
  readyAfterMs: number;
}

/** The block that `handover up` prints when everything runs. */
export function banner(facts: BannerFacts): string {
  const rows: [string, string][] = [
    ['Status API', `${facts.apiUrl}/docs`],
    ...(facts.sandboxUrl === undefined
      ? [['Platform', facts.platformUrl] as [string, string]]
      : [['Sandbox', `${facts.sandboxUrl}/docs`] as [string, string]]),
    ['Temporal', facts.temporalAddress],
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
  const ready = `  Handover is ready (${(facts.readyAfterMs / 1000).toFixed(1)} s). Ctrl-C stops it.`;
  const rule = `  ${'─'.repeat(Math.max(ready.length, ...body.map((line) => line.length)) - 2)}`;
  return ['', ready, rule, ...body, rule, ''].join('\n');
}

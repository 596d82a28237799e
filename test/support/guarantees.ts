import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { gaps } from '../../src/platform/gaps.js';
import { type Lane, lanesOf, testFiles } from './lanes.js';
import { representative } from './representative-scenarios.js';
import { titlesOf } from './test-titles.js';

/** The ids of the rules that a page lists, in its order. */
export const rulesOf = (page: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^(?:\| |\*\*)([LF]\d\d)\b/gm)].map(([, id = '']) => id);

/** The rules of the lifecycle and of the fleet, and the gaps of the specification. */
export const guarantees = [
  ...rulesOf('docs/lifecycle.md'),
  ...rulesOf('docs/fleet.md'),
  ...Object.keys(gaps),
];

/** What names guarantees, and the lanes that run it. */
export interface Proof {
  file: string;
  ids: string[];
  lanes: Lane[];
}

const idsIn = (text: string): string[] => text.match(/\b[LFG]\d\d\b/g) ?? [];

/** Tests name a guarantee in a title. */
export function testProofs(): Proof[] {
  return testFiles.map((file) => ({
    file,
    ids: titlesOf(readFileSync(file, 'utf8')).flatMap(idsIn),
    lanes: lanesOf(file),
  }));
}

/** Scenarios name rules in `rules`. */
export function scenarioProofs(): Proof[] {
  const isFast = (name: string) => representative.includes(name);
  return readdirSync('scenarios')
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => {
      const { rules = [] } = parse(readFileSync(`scenarios/${name}`, 'utf8')) as { rules?: string[] };
      return {
        file: `scenarios/${name}`,
        ids: rules,
        lanes: [isFast(name.replace('.yaml', '')) ? 'fast' : 'long'],
      };
    });
}

/** The limits of docs/operations.md, in its order, each with a test that holds it. */
export const limits = [
  {
    limit: 'connections of one listener',
    file: 'test/unit/connections-are-bounded.test.ts',
    title: /most connections/,
  },
  { limit: 'headers', file: 'test/integration/callbacks-have-limits.test.ts', title: /headers.*431/ },
  {
    limit: 'signatures in one request',
    file: 'test/unit/a-callback-is-refused-by-its-headers-before-its-body.test.ts',
    title: /401/,
  },
  { limit: 'body', file: 'test/integration/callbacks-have-limits.test.ts', title: /body.*408/ },
  {
    limit: 'all bodies on their way in',
    file: 'test/integration/callbacks-have-limits.test.ts',
    title: /bodies.*503/,
  },
  {
    limit: 'stored events under way to the disk',
    file: 'test/integration/callbacks-have-limits.test.ts',
    title: /queue.*503/,
  },
  {
    limit: "the database's answer",
    file: 'test/integration/callbacks-have-limits.test.ts',
    title: /hangs.*503/,
  },
];

/** The rows of the table in docs/testing.md. */
export function tableOf(proofs: readonly Proof[]): string {
  const rows = guarantees.map((id) =>
    row(
      id,
      proofs.filter(({ ids }) => ids.includes(id)),
    ),
  );
  const ofLimits = limits.map(({ limit, file }) => row(`limit: ${limit}`, [{ file, lanes: lanesOf(file) }]));
  return ['| --- | --- | --- |', ...rows, ...ofLimits, ''].join('\n');
}

function row(name: string, proofs: readonly Pick<Proof, 'file' | 'lanes'>[]): string {
  const inLane = (lane: Lane) =>
    proofs
      .filter(({ lanes }) => lanes.includes(lane))
      .map(({ file }) => `\`${file}\``)
      .join('<br>');
  return `| ${name} | ${inLane('fast')} | ${inLane('long')} |`;
}

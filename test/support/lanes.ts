import { readdirSync, readFileSync } from 'node:fs';

/** The fast lane is `npm test`, the long lane `npm run test:long`. */
export type Lane = 'fast' | 'long';

/** Every test file, from the root of the repository. */
export const testFiles = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `test/${name}`)
  .sort();

/** Files that run otherwise in the long lane run in both: under another wire profile, on every database, or at full size. */
export function lanesOf(file: string): Lane[] {
  if (file.endsWith('.long.test.ts')) return ['long'];
  return /\b(wireProfiles|onOneDatabase|HANDOVER_TEST_LONG)\b/.test(readFileSync(file, 'utf8'))
    ? ['fast', 'long']
    : ['fast'];
}

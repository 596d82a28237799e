import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readArguments } from '../../src/app/commands/sandbox-generate.js';
import { createLogger } from '../../src/app/log.js';
import { loadProfile } from '../../src/platform/profiles/index.js';
import { openStore } from '../../src/sandbox/store/store.js';
import { generateTraffic, type Tally } from '../../src/sandbox/traffic/generate.js';
import { brokenInvariants } from '../support/sandbox-invariants.js';
import { copyOfTemplate } from '../support/sandbox-template.js';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function generate(
  seed: number,
  { days, cars } = { days: 12, cars: 36 },
): Promise<{ text: string; tally: Tally; folder: string }> {
  const folder = await copyOfTemplate();
  folders.push(folder);
  let text = '';
  const write = async (lines: string) => {
    text += lines;
  };
  const profile = await loadProfile('default');
  const logger = createLogger('error');
  const tally = await generateTraffic({ days, cars, seed, folder, profile, logger, write });
  return { text, tally, folder };
}

interface Line {
  at: string;
  kind: string;
  path: string;
  webhookId: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
  body: any;
}
let made: Awaited<ReturnType<typeof generate>>;
let lines: Line[];

beforeAll(async () => {
  made = await generate(7);
  lines = made.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
});

describe('a generated stream', () => {
  it('is the same, byte by byte, for the same seed, and another for another', async () => {
    const few = { days: 3, cars: 12 };
    const { text } = await generate(7, few);
    expect(text).not.toBe('');
    expect((await generate(7, few)).text).toBe(text);
    expect((await generate(8, few)).text).not.toBe(text);
  }, 120_000);

  it('has every callback once, in the order of the virtual time', () => {
    expect(lines).toHaveLength(made.tally.callbacks);
    expect(new Set(lines.map(({ webhookId }) => webhookId)).size).toBe(lines.length);
    const instants = lines.map(({ at }) => Date.parse(at));
    expect(instants).toEqual([...instants].sort((a, b) => a - b));
  });

  it('is legal for each reservation: it begins with 5 and contains only transitions of the table', async () => {
    const { fromStates } = (await loadProfile('default')).behaviour;
    const at = new Map<number, number>();
    for (const { kind, body } of lines) {
      const { reservationId, reservationStatus: status } = body;
      const before = at.get(reservationId);
      if (kind === 'registration') expect([before, status]).toEqual([undefined, 5]);
      else if (kind !== 'car' && status !== before)
        expect(fromStates[status as keyof typeof fromStates]).toContain(before);
      if (status !== undefined) at.set(reservationId, status);
    }
    expect(at.size).toBe(made.tally.bookings);
    for (const status of [5, 10, 15, 20, 25, 30, 35, 40])
      expect(lines.some(({ body }) => body.reservationStatus === status)).toBe(true);
  });

  it('shows changes of period, car and companion', () => {
    const updates = lines.filter(({ kind }) => kind === 'update');
    const facts = (pick: (body: Line['body']) => unknown) => {
      const seen = new Map<number, Set<string>>();
      for (const { body } of updates) {
        const known = seen.get(body.reservationId) ?? new Set();
        seen.set(body.reservationId, known.add(JSON.stringify(pick(body))));
      }
      return [...seen.values()].some((values) => values.size > 1);
    };
    expect(facts((body) => body.endAt)).toBe(true);
    expect(facts((body) => body.companionInfo ?? null)).toBe(true);
    expect(lines.some(({ kind }) => kind === 'car')).toBe(true);
  });

  it('contains no real person’s data: phones and licences that are not assigned', () => {
    for (const { kind, body } of lines) {
      if (kind !== 'registration') continue;
      expect(body.driverPhone).toMatch(/^0100\d{7}$/);
      expect(body.driverLicenseNumber).toMatch(/^00-\d{2}-\d{6}-00$/);
      expect(body.driverBirth).toMatch(/^(19|20)\d{6}$/);
    }
  });

  it('leaves a platform whose invariants hold', async () => {
    const profile = await loadProfile('default');
    const { db, close } = await openStore({ folder: made.folder });
    expect(await brokenInvariants(db, profile).finally(close)).toEqual([]);
  });
});

describe('its arguments', () => {
  it('have defaults, and invalid ones are refused with the valid values', () => {
    expect(readArguments([])).toEqual({ days: 30, cars: 500, seed: 7, out: undefined });
    expect(readArguments(['--days', '2', '--out', 'x'])).toMatchObject({ days: 2, out: 'x' });
    expect(() => readArguments(['--cars', '10001'])).toThrow(
      '--cars is 10001; give a whole number from 1 to 10000',
    );
    expect(() => readArguments(['--seed', 'a'])).toThrow('--seed is a');
    expect(() => readArguments(['--mars'])).toThrow('mars');
  });
});

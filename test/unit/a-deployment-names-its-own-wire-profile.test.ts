import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { problemsOf } from '../../src/platform/profiles/check.js';
import { defaultProfile } from '../../src/platform/profiles/default/index.js';
import { loadProfile, WireProfileError } from '../../src/platform/profiles/index.js';
import { contraryProfile } from '../profiles/contrary.js';

/** A module with this source; gone when the test is over. */
async function moduleOf(source: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'wire-profile-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'profile.mjs');
  await writeFile(path, source);
  return path;
}

const outline = `{
  name: 'ours', zone: { name: 'Asia/Seoul', offsetMinutes: 540 }, differs: ['G12'],
  operations: all(${JSON.stringify(Object.keys(defaultProfile.operations))}),
  errors: { encode() {}, decode() {} },
  callbacks: { paths: all(['registration', 'update', 'car', 'status']), encode() {}, decode() {} },
  behaviour: all(['bookingStatus', 'reservationScheduleReason', 'emits', 'acknowledgeWithinMs', 'retries',
    'failUnacknowledgedAfterMs', 'fromStates']),
}`;
const all = 'const all = (names) => Object.fromEntries(names.map((name) => [name, {}]));';

it('the built-in one by its name', async () => {
  expect(await loadProfile('default')).toMatchObject({ name: 'default', differs: [] });
});

it('its own by the path of a module that exports it as default or as profile', async () => {
  for (const named of ['export default', 'export const profile =']) {
    const path = await moduleOf(`${all}\n${named} ${outline}`);
    expect(await loadProfile(path)).toMatchObject({ name: 'ours', differs: ['G12'] });
  }
});

it('a name that is neither built in nor a file is refused with the valid names', async () => {
  for (const name of ['defualt', 'constructor', './nowhere.js'])
    await expect(loadProfile(name)).rejects.toThrow(
      `"${name}": neither a built-in profile (default) nor a file`,
    );
});

it('a module that does not load is refused with its reason', async () => {
  await expect(loadProfile(await moduleOf('throw new Error("broken inside")'))).rejects.toThrow(
    /broken inside/,
  );
});

it('an export that is no wire profile is refused with each missing member', async () => {
  await expect(loadProfile(await moduleOf('export const other = 1'))).rejects.toThrow(WireProfileError);
  const path = await moduleOf(
    `${all}\nexport default { ...${outline}, name: 7, errors: {}, differs: ['G99'] }`,
  );
  await expect(loadProfile(path)).rejects.toThrow(/name: .*errors\.encode: .*errors\.decode: .*differs\.0: /);
});

it('an operation that is missing is named', () => {
  const { book: _gone, ...operations } = contraryProfile.operations;
  expect(problemsOf({ ...contraryProfile, operations })).toEqual(['operations.book: is missing']);
  expect(problemsOf(contraryProfile)).toEqual([]);
});

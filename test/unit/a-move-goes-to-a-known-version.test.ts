import { beforeEach, expect, it, vi } from 'vitest';
import { release } from '../../src/tools/release/command.js';
import { move } from '../../src/tools/release/move.js';

const plain = { force: false, query: undefined, perSecond: 20 };
const releases = {
  deploymentName: 'handover',
  known: vi.fn(async () => [
    { buildId: 'two', status: 'current' as const },
    { buildId: 'one', status: 'draining' as const },
  ]),
  wakeOthers: vi.fn(async () => 3),
  force: vi.fn(async () => 1),
};
let printed: string;
beforeEach(() => {
  vi.clearAllMocks();
  printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
  return () => vi.restoreAllMocks();
});

it.each([
  [
    'without --force',
    plain,
    'no version of the deployment handover has the build id tow: give --build-id of two (current), one (draining), or --unversioned for workers without a version',
  ],
  [
    'with --force',
    { ...plain, force: true },
    'no version of the deployment handover has the build id tow: give --build-id of two (current), one (draining)',
  ],
])(
  'a build id that no version has is refused %s, with those that are right: it would be another than that of every run',
  async (_, how, reason) => {
    await expect(move(releases, 'tow', how)).rejects.toThrow(new Error(reason));
    expect(releases.wakeOthers).not.toHaveBeenCalled();
    expect(releases.force).not.toHaveBeenCalled();
  },
);

it.each(['two', null])(
  'a deployment that no worker has had is refused, here with build id %s',
  async (buildId) => {
    releases.known.mockResolvedValueOnce([]);
    await expect(move(releases, buildId, plain)).rejects.toThrow('check TEMPORAL_DEPLOYMENT_NAME');
    expect(releases.wakeOthers).not.toHaveBeenCalled();
  },
);

it.each([
  ['one', '3 open runs of other versions were woken'],
  [null, '3 open runs of every version were woken'],
])('a move to %s wakes those of all others', async (buildId, text) => {
  await move(releases, buildId, plain);
  expect(releases.wakeOthers.mock.calls).toEqual([[buildId, 20]]);
  expect(printed).toContain(text);
});

it('workers without a version cannot be forced on a run', async () => {
  await expect(move(releases, null, { ...plain, force: true })).rejects.toThrow('--build-id in place of');
  expect(releases.force).not.toHaveBeenCalled();
});

it.each(['promote', 'move'])('%s with both a build id and --unversioned is refused', async (command) => {
  await expect(release([command, '--unversioned', '--build-id', 'one'], {})).rejects.toThrow('not both');
});

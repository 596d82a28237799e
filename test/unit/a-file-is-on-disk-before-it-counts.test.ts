import { existsSync, readlinkSync } from 'node:fs';
import { chmod, type FileHandle, mkdtemp, open, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadGeneratedSecrets } from '../../src/app/config/generated-secrets.js';
import { embeddedSetting } from '../../src/app/startup/setting.js';
import { openBlobStore } from '../../src/store/photos/store.js';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'handover-on-disk-')));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

/** What is made durable from here on, in order: its path, and whether `counts` was there by then. */
async function synced(counts: () => boolean): Promise<{ path: string; counted: boolean }[]> {
  const seen: { path: string; counted: boolean }[] = [];
  const file = await open(folder, 'r');
  const prototype = Object.getPrototypeOf(file) as FileHandle;
  await file.close();
  const sync = prototype.sync;
  vi.spyOn(prototype, 'sync').mockImplementation(function (this: FileHandle) {
    seen.push({ path: readlinkSync(`/proc/self/fd/${this.fd}`), counted: counts() });
    return sync.call(this);
  });
  return seen;
}

// only there the path of a descriptor can be read
describe.runIf(process.platform === 'linux')('before it counts, and its name at once after', () => {
  it('a photo', async () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(2_000, 3)]);
    const blobs = await openBlobStore({ kind: 'folder', path: folder });
    const uploads = () => blobs.uploads().then((all) => all.length);
    const seen = await synced(() => existsSync(join(folder, 'uploads')));
    await blobs.putPhoto(Readable.from([bytes]), 10_000, { reservationId: 8421, commandId: 'p-1' });
    expect(await uploads()).toBe(1);
    expect(seen[0]).toEqual({ path: expect.stringMatching(`^${folder}/incoming/`), counted: false });
    expect(seen.at(-1)?.path).toMatch(new RegExp(`^${folder}/uploads/..(/|$)`));
  });

  it('secrets.json, new or completed', async () => {
    const path = join(folder, 'secrets.json');
    const seen = await synced(() => existsSync(path));
    const aside = { path: expect.stringMatching(`^${path}\\.`), counted: false };
    await loadGeneratedSecrets(folder);
    expect(seen.splice(0)).toEqual([aside, { path: folder, counted: true }]);

    const { codec: _, ...older } = JSON.parse(JSON.stringify(await loadGeneratedSecrets(folder)));
    await writeFile(path, JSON.stringify(older));
    await loadGeneratedSecrets(folder);
    expect(seen).toEqual([
      { ...aside, counted: true },
      { path: folder, counted: true },
    ]);
  });
});

it('a data folder that others could enter becomes accessible to its owner only', async () => {
  const dataDir = join(folder, 'data');
  const start = () => embeddedSetting({ HANDOVER_DATA_DIR: dataDir });
  await start();
  await chmod(dataDir, 0o755);
  await start();
  for (const [name, mode] of [
    ['.', 0o700],
    ['secrets.json', 0o600],
    ['handover.log', 0o600],
  ] as const) {
    expect([name, (await stat(join(dataDir, name))).mode & 0o777]).toEqual([name, mode]);
  }
});

import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openHandoverDatabase } from '../../src/store/handover.js';
import { copyOfMigratedTemplate } from '../support/database.js';
import { surviveFullDisk, whyNoSmallDisk } from '../support/full-disk.js';
import { smallDisk } from '../support/small-disk.js';

const refused = whyNoSmallDisk();

it.skipIf(refused !== undefined)(
  `a disk that is full for the database and the log: every acknowledged callback is stored, and the receiver accepts callbacks once it is freed${refused ?? ''}`,
  async () => {
    const disk = smallDisk(200) ?? expect.fail('no small filesystem');
    onTestFinished(() => disk.remove());
    const folder = join(disk.path, 'db');
    await copyOfMigratedTemplate(folder);
    const database = await openHandoverDatabase({ folder });
    onTestFinished(() => database.close());
    await surviveFullDisk({ disk, database, callbacks: 150 });
  },
  90_000,
);

import { expect, it } from 'vitest';
import { runErase } from '../../src/app/commands/erase.js';

const cluster = {
  DATABASE_URL: 'postgres://nowhere.invalid/handover',
  CODEC_KEYS: `one:${Buffer.alloc(32, 1).toString('base64')}`,
};

it('handover erase does not search for photos in an empty folder of its own machine', async () => {
  await expect(runErase(['--by', 'dpo', '--reservation', '1'], cluster)).rejects.toThrow('BLOB_URL');
});

import { expect, it, onTestFinished, vi } from 'vitest';
import { readOptions } from '../../bench/options.js';
import { databaseServer } from '../../bench/own-database.js';

it('without a server, --postgres is refused with what is missing', () => {
  vi.stubEnv('HANDOVER_TEST_DATABASE_URL', '');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(() => databaseServer('--postgres')).toThrow('--postgres needs HANDOVER_TEST_DATABASE_URL');
});

it('figures on Postgres are not published, because the table is of the embedded database', () => {
  expect(readOptions(['--postgres']).postgres).toBe(true);
  expect(() => readOptions(['--postgres', '--publish'])).toThrow('--publish is of the embedded database');
});

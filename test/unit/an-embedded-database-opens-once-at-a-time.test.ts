import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { deferred } from '../../src/domain/shared/deferred.js';
import type { EmbeddedClient } from '../../src/store/connection/embedded/client.js';
import { Reopening } from '../../src/store/connection/embedded/reopening.js';
import { eventually } from '../support/eventually.js';

it('a part of the process that fails as the embedded database opens again is logged, and no second one opens the folder', async () => {
  const ends: (() => void)[] = [];
  const open = async () => {
    const { promise: ended, resolve: end } = deferred();
    ends.push(end);
    return { ended, close: async () => {} } as unknown as EmbeddedClient;
  };
  const lines: string[] = [];
  const log = { error: (_: object, line: string) => void lines.push(line) };
  const database = new Reopening(tmpdir(), open, { measure: (work) => work(), log });
  let opened = 0;
  database.onOpen(() => {
    if (ends.length > 1) throw new Error('this part fails');
  });
  database.onOpen(() => {
    opened += 1;
  });
  await database.start();
  ends[0]?.();
  await eventually('it is open again', () => lines.some((line) => line.endsWith('is open again')));
  expect(ends).toHaveLength(2);
  expect(opened).toBe(2);
  expect(lines).toContain('the embedded database is open, but a part of the process failed to use it');
  await database.close();
});

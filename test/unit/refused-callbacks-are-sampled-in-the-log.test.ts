import { expect, it } from 'vitest';
import { SampledLog } from '../../src/intake/sampled-log.js';

it('the first of a kind is logged, then one a minute with how many it stands for', () => {
  const lines: unknown[] = [];
  let now = 0;
  const log = new SampledLog({ warn: (line: unknown) => void lines.push(line) }, () => now);
  for (let second = 0; second <= 120; second++) {
    now = second * 1_000;
    log.refused('SIGNATURE_MISMATCH', { channel: 'status' });
  }
  log.refused('SIGNATURE_MISSING', { channel: 'car' });
  expect(lines).toEqual([
    { code: 'SIGNATURE_MISMATCH', channel: 'status' },
    { code: 'SIGNATURE_MISMATCH', channel: 'status', othersSince: 59 },
    { code: 'SIGNATURE_MISMATCH', channel: 'status', othersSince: 59 },
    { code: 'SIGNATURE_MISSING', channel: 'car' },
  ]);
});

import { expect, it } from 'vitest';
import { loopbackAddresses } from '../../bench/intake/attack.js';
import { underAttack } from '../support/flood.js';

// Linux alone answers at every address of 127.0.0.0/8
const onLinux = it.skipIf(process.platform !== 'linux');
const senders = [1, 300];

onLinux.each(senders)(
  '300 stalled uploads from %d other addresses keep no signed callback out',
  async (addresses) => {
    const answers = await underAttack({
      attack: { kind: 'stalled', connections: 300, from: loopbackAddresses(addresses) },
      callbacks: 2_000,
    });
    expect(answers).toEqual({ 204: 2_000 });
  },
);

onLinux.each(senders)(
  '2,200 idle connections from %d other addresses keep no signed callback out',
  async (addresses) => {
    const answers = await underAttack({
      attack: { kind: 'idle', connections: 2_200, from: loopbackAddresses(addresses) },
      callbacks: 2_000,
    });
    expect(answers).toEqual({ 204: 2_000 });
  },
);

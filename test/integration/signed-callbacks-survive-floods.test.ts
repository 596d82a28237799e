import { expect, it } from 'vitest';
import { loopbackAddresses } from '../../bench/intake/attack.js';
import { underAttack } from '../support/flood.js';

// Linux alone answers at every address of 127.0.0.0/8
const onLinux = it.skipIf(process.platform !== 'linux');
const senders = [1, 50];

onLinux.each(senders)(
  'stalled uploads from %d other addresses keep no signed callback out',
  async (addresses) => {
    const answers = await underAttack({
      attack: { kind: 'stalled', connections: 100, from: loopbackAddresses(addresses) },
      callbacks: 100,
      receiver: { bytesTogether: 512 * 1024 },
    });
    expect(answers).toEqual({ 204: 100 });
  },
);

onLinux.each(senders)(
  'idle connections from %d other addresses keep no signed callback out',
  async (addresses) => {
    const answers = await underAttack({
      attack: { kind: 'idle', connections: 60, from: loopbackAddresses(addresses) },
      callbacks: 100,
      http: { connections: 50, connectionsEach: 12 },
    });
    expect(answers).toEqual({ 204: 100 });
  },
);

import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BodyReader } from '../../src/inbox/receive/body.js';

const limits = {
  withinMs: 10_000,
  paceMs: 2_000,
  leastBytes: 100,
  bytesTogether: 4_000,
  bytesOfStrangers: 3_000,
  bytesEach: 1_000,
};
const stranger = (network: string) => ({ network, isTrusted: false });
const known = { network: 'known', isTrusted: true };

function reader() {
  const bodies = new BodyReader(limits);
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return {
    turn,
    /** A body that has sent `bytes` and no end. */
    async begin(sender: { network: string; isTrusted: boolean }, bytes: number) {
      const stream = new PassThrough();
      let outcome: string | undefined;
      const read = bodies.read(stream, undefined, sender).then(
        (whole) => {
          outcome = `${whole.length} bytes`;
        },
        (error: { code?: string }) => {
          outcome = error.code;
        },
      );
      stream.write(Buffer.alloc(bytes));
      await turn();
      return { stream, read, outcome: () => outcome };
    },
  };
}

describe('bodies on their way in', () => {
  beforeEach(
    () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }),
  );
  afterEach(() => void vi.useRealTimers());

  it('of one unknown sender beyond its share: its largest is refused', async () => {
    const { begin, turn } = reader();
    const large = await begin(stranger('a'), 700);
    const small = await begin(stranger('a'), 200);
    const other = await begin(stranger('b'), 700);
    const comer = await begin(stranger('a'), 300);
    await turn();
    expect([large, small, other, comer].map((one) => one.outcome())).toEqual([
      'INTAKE_OVERLOADED',
      undefined,
      undefined,
      undefined,
    ]);
    comer.stream.end();
    await comer.read;
    expect(comer.outcome()).toBe('300 bytes');
  });

  it('of all unknown senders beyond their share: the largest of the one that sends most is refused, small ones are read', async () => {
    const { begin, turn } = reader();
    const floods = [];
    for (let i = 0; i < 6; i++) floods.push(await begin(stranger(`flood ${i}`), 490));
    const small = await begin(stranger('small'), 100);
    await turn();
    expect(floods.filter((one) => one.outcome() === 'INTAKE_OVERLOADED')).toHaveLength(1);
    small.stream.end();
    await small.read;
    expect(small.outcome()).toBe('100 bytes');
  });

  it('a trusted sender has the rest for itself, up to the bound of all', async () => {
    const { begin, turn } = reader();
    for (let i = 0; i < 6; i++) await begin(stranger(`flood ${i}`), 500);
    const trusted = await begin(known, 1_000);
    expect(trusted.outcome()).toBeUndefined();
    const tooMuch = await begin(known, 100);
    await turn();
    expect(tooMuch.outcome()).toBe('INTAKE_OVERLOADED');
    trusted.stream.end();
    await trusted.read;
    expect(trusted.outcome()).toBe('1000 bytes');
  });

  it('one that pauses is cut off before its deadline, one that keeps the pace is not', async () => {
    const { begin, turn } = reader();
    const paused = await begin(stranger('a'), 50);
    const steady = await begin(stranger('b'), 150);
    const pace = async () => {
      vi.advanceTimersByTime(limits.paceMs);
      await turn();
      await turn();
    };
    await pace();
    expect([paused.outcome(), steady.outcome()]).toEqual(['REQUEST_TOO_SLOW', undefined]);
    steady.stream.write(Buffer.alloc(150));
    await turn();
    await pace();
    expect(steady.outcome()).toBeUndefined();
    await pace();
    expect(steady.outcome()).toBe('REQUEST_TOO_SLOW');
  });

  it('bytes that arrived while the event loop was late count', async () => {
    const { begin, turn } = reader();
    const body = await begin(stranger('a'), 0);
    vi.advanceTimersByTime(limits.paceMs);
    body.stream.write(Buffer.alloc(150)); // before the loop comes to its next turn
    await turn();
    await turn();
    expect(body.outcome()).toBeUndefined();
  });
});

import { expect, it } from 'vitest';
import { Unjudged } from '../../src/inbox/relay/unjudged.js';

const limited = (most: number) => {
  let now = 0;
  const waits = new Set<number>();
  let reads = 0;
  let meanwhile = () => {};
  const selectStillSent = async (ids: number[]) => {
    reads += 1;
    meanwhile();
    return ids.filter((id) => waits.has(id));
  };
  const unjudged = new Unjudged({ most, selectStillSent }, () => now);
  return {
    room: (underWay = 0) => unjudged.readRoom(underWay),
    whileReading: (happens: () => void) => {
      meanwhile = happens;
    },
    reads: () => reads,
    send: (...ids: number[]) => {
      for (const id of ids) {
        waits.add(id);
        unjudged.record(id);
      }
    },
    judge: (...ids: number[]) => {
      for (const id of ids) waits.delete(id);
    },
    pass: (ms: number) => {
      now += ms;
    },
  };
};

it('signals without a verdict fill the room, and verdicts leave room', async () => {
  const { room, send, judge } = limited(3);
  expect(await room()).toBe(3);
  send(1, 2, 3);
  expect(await room()).toBe(0);
  judge(1, 3);
  expect(await room()).toBe(2);
  send(4, 5, 6);
  expect(await room(), 'more than may be').toBe(0);
});

it('a signal whose workflow is stuck holds up the others for ten seconds at most', async () => {
  const { room, send, pass } = limited(2);
  send(1);
  pass(4_000);
  send(2);
  expect(await room()).toBe(0);
  pass(6_000);
  expect(await room()).toBe(1);
  pass(4_000);
  expect(await room()).toBe(2);
});

it('a signal that later ones pass by two seconds holds up no other: its workflow is stuck, or its platform slow', async () => {
  const { room, send, judge, pass } = limited(3);
  send(1);
  pass(1_999);
  send(2, 3);
  judge(3);
  expect(await room(), 'it may wait for a worker').toBe(1);
  pass(1);
  send(4);
  judge(4);
  expect(await room(), 'not those of two seconds later').toBe(2);
});

it('a signal is passed by none that is sent after it and has no verdict either', async () => {
  const { room, send, judge, pass } = limited(3);
  send(1);
  judge(1);
  pass(1_000);
  send(2);
  pass(8_000);
  send(3);
  expect(await room()).toBe(1);
});

it('verdicts are read only where the room is full', async () => {
  const { room, send, judge, reads } = limited(4);
  send(1, 2, 3);
  expect(await room()).toBe(1);
  expect(reads()).toBe(0);
  judge(1, 2, 3);
  send(4);
  expect(await room()).toBe(3);
  expect(reads()).toBe(1);
});

it('sends under way count, and where they fill the rest the verdicts are read', async () => {
  const { room, send, judge } = limited(4);
  send(1, 2, 3);
  judge(1, 2);
  expect(await room(1)).toBe(2);
});

it('a signal that is recorded while verdicts are read counts', async () => {
  const { room, send, judge, whileReading } = limited(2);
  send(1, 2);
  judge(1, 2);
  whileReading(() => send(3));
  expect(await room()).toBe(1);
});

it('a row that is sent once more counts from then, and those after it no longer than they would', async () => {
  const { room, send, pass } = limited(2);
  send(1);
  pass(1_000);
  send(2);
  pass(1_000);
  send(1);
  pass(9_000);
  expect(await room()).toBe(1);
});

import { expect, it } from 'vitest';
import { Unjudged } from '../../src/inbox/relay/unjudged.js';

const limited = (most: number) => {
  let now = 0;
  const waits = new Set<number>();
  let asked = 0;
  let meanwhile = () => {};
  const stillSent = async (ids: number[]) => {
    asked += 1;
    meanwhile();
    return ids.filter((id) => waits.has(id));
  };
  const unjudged = new Unjudged({ most, stillSent }, () => now);
  return {
    room: (underWay = 0) => unjudged.more(underWay),
    whileAsked: (happens: () => void) => {
      meanwhile = happens;
    },
    asked: () => asked,
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

it('verdicts are read only where the room is full', async () => {
  const { room, send, judge, asked } = limited(4);
  send(1, 2, 3);
  expect(await room()).toBe(1);
  expect(asked()).toBe(0);
  judge(1, 2, 3);
  send(4);
  expect(await room()).toBe(3);
  expect(asked()).toBe(1);
});

it('sends under way count, and where they fill the rest the verdicts are read', async () => {
  const { room, send, judge } = limited(4);
  send(1, 2, 3);
  judge(1, 2);
  expect(await room(1)).toBe(2);
});

it('a signal that is recorded while verdicts are read counts', async () => {
  const { room, send, judge, whileAsked } = limited(2);
  send(1, 2);
  judge(1, 2);
  whileAsked(() => send(3));
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

import { describe, expect, it } from 'vitest';
import * as lifecycle from '../../../../src/domain/reservation/index.js';
import {
  day,
  hour,
  minute,
  origin,
  photo,
  registered,
  Story,
  unknown,
  whole,
} from '../../../support/reservation-story.js';
import { read } from '../../../support/sentences.js';

const override = { reason: 'the callback was lost' };
const illegal = { outcome: 'rejected', code: 'ILLEGAL_STATE', message: 'not at 5' } as const;

function departed(): Story {
  const story = registered();
  story.sendAction('dispatch.staff');
  story.sendAction('dispatch.start');
  return story;
}

const allowed: Record<lifecycle.Action, number[]> = {
  'dispatch.staff': [5, 10],
  'dispatch.start': [5],
  'dispatch.parkingImage': [10],
  'dispatch.carImage': [10],
  'dispatch.complete': [10],
  'recall.staff': [15, 20, 25, 30],
  'recall.carImage': [30],
  'recall.complete': [30],
};

describe.each(lifecycle.actions)('L20: %s', (action) => {
  it.each([5, 10, 15, 20, 25, 30])(
    'at %i is accepted, refused as past, or overridable where the status is behind',
    (status) => {
      const story = new Story();
      story.updated(status);
      const code = story.refusal(action, { override })?.code ?? null;
      const plain = story.refusal(action);
      const first = Math.min(...allowed[action]);
      const last = Math.max(...allowed[action]);
      expect(code).toBe(status > last ? 'ACTION_NOT_ALLOWED' : null);
      if (status < first) expect(plain).toMatchObject({ code: 'STATUS_BEHIND', overridable: true });
      if (status > last) expect(plain).toMatchObject({ code: 'ACTION_NOT_ALLOWED', overridable: false });
      if (allowed[action].includes(status))
        expect(plain === null || plain.code === 'OUT_OF_ORDER').toBe(true);
    },
  );

  it.each([35, 40, 45, 50])('at the terminal %i is refused, override or not', (status) => {
    const story = new Story();
    story.updated(status);
    expect(story.refusal(action, { override })).toMatchObject({
      code: 'RESERVATION_TERMINAL',
      overridable: false,
    });
  });

  it('is refused without the supplier role', () => {
    const story = new Story({ roles: ['channel'] });
    story.registered();
    expect(story.refusal(action)?.code).toBe('ROLE_OFF');
  });
});

it('L20: an accepted override infers the rungs that were skipped', () => {
  const story = registered();
  story.sendAction('recall.carImage', { outcome: 'applied' }, { override });
  expect(story.view.status).toMatchObject({ code: 30, grade: 'inferred' });
});

it('a photo action without a photo is refused', () => {
  expect(departed().refusal('dispatch.carImage', { body: {} })?.code).toBe('PHOTO_MISSING');
});

it('L21: a repeated id returns the first result and sends nothing', () => {
  const story = departed();
  const command = story.command('dispatch.carImage', { override });
  story.sendAction('dispatch.carImage', { outcome: 'applied' }, command);
  expect(lifecycle.decide(story.state, command)).toBeNull();
  const again = lifecycle.accept(story.state, command, story.now);
  expect(again).toEqual({ state: story.state, entries: [] });
  expect(lifecycle.knownCommand(story.state, command.commandId)?.outcome).toBe('applied');
  expect(story.send()).toBeNull();
});

it('L21: the same id with another action or body is refused', () => {
  const story = departed();
  const { commandId } = story.command('dispatch.staff');
  story.sendAction('dispatch.staff', { outcome: 'applied' }, { commandId });
  expect(story.refusal('dispatch.staff', { commandId, body: { staffName: 'Park' } })?.code).toBe(
    'COMMAND_ID_REUSED',
  );
  expect(story.refusal('dispatch.carImage', { commandId })?.code).toBe('COMMAND_ID_REUSED');
});

it('L22: an applied command changes the status as commanded until a callback makes it observed', () => {
  const story = departed();
  expect(story.view.status).toMatchObject({ code: 10, grade: 'commanded' });
  expect(story.updated(10)).toMatchObject({ verdict: 'applied', rule: 'L22' });
  expect(story.view.status).toMatchObject({ code: 10, grade: 'observed' });
});

it('L23: a rejected command has its reason and leaves the status unchanged', () => {
  const story = registered();
  const refused = {
    outcome: 'rejected',
    code: 'NOT_FOUND',
    message: 'no such reservation',
  } as const;
  const id = story.sendAction('dispatch.start', refused, { override });
  expect(story.shown(id)).toMatchObject({
    outcome: 'rejected',
    code: 'NOT_FOUND',
    message: 'no such reservation',
  });
  expect(story.view.status.code).toBe(5);
});

it.each([10, 15, 20])('L24: a callback that shows %i resolves an unknown start', (status) => {
  const story = registered();
  const id = story.sendAction('dispatch.start', unknown, { override });
  expect(story.shown(id).outcome).toBe('unknown');
  story.status(status);
  expect(story.shown(id)).toMatchObject({ outcome: 'applied', settledBy: 'callback' });
  expect(story.send()).toBeNull();
});

it('L24: a callback that came while the request was out resolves its lost answer', () => {
  const story = registered();
  const id = story.accept('dispatch.start', { override });
  story.send();
  story.status(10);
  expect(story.answer(id, unknown)).toMatchObject({ outcome: 'applied', settledBy: 'callback' });
});

it('L24: a new parking image URL resolves an unknown parking photo; an old one does not', () => {
  const story = departed();
  story.updated(10, { parking: { imageUrl: 'https://p.example/old' } });
  const id = story.sendAction('dispatch.parkingImage', unknown);
  story.updated(10, { parking: { imageUrl: 'https://p.example/old', memo: 'B2' } });
  expect(story.shown(id).outcome).toBe('unknown');
  story.updated(10, { parking: { imageUrl: 'https://p.example/new' } });
  expect(story.shown(id)).toMatchObject({ outcome: 'applied', settledBy: 'callback' });
  expect(story.view.dispatch.parkingImage?.hash).toBe(photo.hash);
});

it('L24: the URL of an earlier applied photo does not resolve a later unknown one', () => {
  const story = departed();
  story.sendAction('dispatch.parkingImage');
  const id = story.sendAction('dispatch.parkingImage', unknown);
  story.updated(10, { parking: { imageUrl: 'https://p.example/first' } });
  expect(story.shown(id).outcome).toBe('unknown');
});

it('L24: a person resolves an unknown outcome with a reason; no other outcome can be resolved', () => {
  const story = departed();
  const id = story.sendAction('dispatch.carImage', unknown, { override });
  expect(story.kinds).toEqual(['command-unknown']);
  const input = { commandId: id, outcome: 'applied', reason: 'seen on the web site', by: 'manager' } as const;
  expect(lifecycle.checkResolve(story.state, input)).toBeNull();
  story.take(lifecycle.resolveCommand(story.state, input, story.now));
  expect(story.shown(id)).toMatchObject({ outcome: 'applied', settledBy: 'person', message: input.reason });
  expect(story.view.dispatch.carImage?.hash).toBe(photo.hash);
  expect(story.kinds).toEqual([]);
  expect(JSON.stringify(story.entries)).not.toContain(input.reason);
  expect(read(lifecycle.checkResolve(story.state, input))).toMatchObject({
    code: 'COMMAND_SETTLED',
    message: 'The outcome is already known: applied. Nothing is left to resolve.',
  });
  expect(lifecycle.checkResolve(story.state, { commandId: 'none' })?.code).toBe('COMMAND_NOT_FOUND');
});

it('L24: a command that still waits is refused as open, not as known', () => {
  const story = departed();
  const id = story.sendAction(
    'dispatch.carImage',
    { outcome: 'held-back', code: 'RATE_LIMITED' },
    { override },
  );
  expect(read(lifecycle.checkResolve(story.state, { commandId: id }))).toMatchObject({
    code: 'COMMAND_SETTLED',
    message:
      'The command is still open (waiting). Wait for its outcome; only an unknown outcome can be resolved.',
  });
});

it('L24: a start that a person resolves as applied changes the status as asserted', () => {
  const story = registered();
  const commandId = story.sendAction('dispatch.start', unknown, { override });
  story.take(
    lifecycle.resolveCommand(
      story.state,
      { commandId, outcome: 'applied', reason: 'seen', by: 'manager' },
      story.now,
    ),
  );
  expect(story.view.status).toMatchObject({ code: 10, grade: 'asserted' });
});

it.each(['dispatch.staff', 'dispatch.parkingImage', 'dispatch.carImage'] as const)(
  'L25: %s is sent at most once per command, and may be sent again with a new command',
  (action) => {
    const story = departed();
    const id = story.sendAction(action, unknown, { override });
    expect(story.nextDeadline).toBeGreaterThan(story.now + minute);
    story.at(origin + 3 * hour);
    expect(story.send()).toBeNull();
    expect(story.shown(id)).toMatchObject({ outcome: 'unknown', attempts: 1 });
    expect(story.refusal(action, { override })).toBeNull();
  },
);

it('L26: one request at a time; an unknown one does not hold the slot', () => {
  const story = departed();
  const first = story.accept('dispatch.parkingImage');
  const second = story.accept('dispatch.staff');
  expect(story.send()?.commandId).toBe(first);
  expect(story.send()).toBeNull();
  story.answer(first, unknown);
  expect(story.send()?.commandId).toBe(second);
});

it('L26: a queued command is checked again at its turn', () => {
  const story = registered();
  story.sendAction('dispatch.staff');
  const first = story.accept('dispatch.start');
  const second = story.accept('dispatch.start');
  story.send();
  story.answer(first, { outcome: 'applied' });
  expect(story.send()).toBeNull();
  expect(story.shown(second)).toMatchObject({ outcome: 'rejected', code: 'ACTION_NOT_ALLOWED', attempts: 0 });
});

it('an attempt carries its number and the identity of the action', () => {
  const story = registered();
  const id = story.accept('dispatch.start', { override });
  expect(story.send()).toMatchObject({ number: 1, idempotencyKey: `8421:dispatch.start:${id}` });
  story.answer(id, unknown);
  story.at(story.nextDeadline ?? 0);
  expect(story.send()).toMatchObject({ number: 2, idempotencyKey: `8421:dispatch.start:${id}` });
});

it('L27: a step that skips one before it needs an override, which is stored', () => {
  const story = departed();
  expect(story.refusal('dispatch.complete')).toMatchObject({ code: 'OUT_OF_ORDER', overridable: true });
  const id = story.sendAction('dispatch.complete', { outcome: 'applied' }, { override });
  expect(story.shown(id).override).toEqual(override);
  expect(story.view.status.code).toBe(15);
});

it('L27: in the recommended order nothing is refused; repeating a photo or staff is in order', () => {
  const story = registered().prepareDispatch();
  story.sendAction('dispatch.carImage');
  story.sendAction('dispatch.parkingImage');
  story.sendAction('dispatch.staff');
  story.sendAction('dispatch.complete');
  story.status(30);
  story.sendAction('recall.staff');
  story.sendAction('recall.carImage');
  story.sendAction('recall.complete');
  expect(story.view).toMatchObject({ status: { code: 35, grade: 'commanded' }, display: null });
});

it('L28: cancelled while a start is in flight: it finishes, the rest is dropped, the car is to be fetched', () => {
  const story = registered();
  story.sendAction('dispatch.staff');
  const start = story.accept('dispatch.start');
  const next = story.accept('dispatch.staff');
  story.send();
  story.status(40);
  expect(story.kinds).toEqual([]);
  expect(story.answer(start, { outcome: 'applied' }).outcome).toBe('applied');
  expect(story.send()).toBeNull();
  expect(story.shown(next)).toMatchObject({ outcome: 'rejected', code: 'RESERVATION_TERMINAL' });
  expect(story.view.status.code).toBe(40);
  expect(story.kinds).toContain('retrieve-car');
});

it('L28: the physical task stays open until a person resolves it', () => {
  const story = departed();
  story.status(40);
  story.at(origin + 30 * day);
  expect(story.view.closed).toBe(false);
  const resolution = { kind: 'retrieve-car', reason: 'it is back', by: 'dana' } as const;
  expect(lifecycle.checkResolveAttention(story.state, resolution.kind)).toBeNull();
  story.take(lifecycle.resolveAttention(story.state, resolution, story.now));
  expect(story.view).toMatchObject({ closed: true, attention: [] });
  expect(lifecycle.checkResolveAttention(story.state, resolution.kind)?.code).toBe('ATTENTION_NOT_FOUND');
});

it('L29: one callback resolves one command: one that may have been applied explains the refusal of the other', () => {
  const story = new Story();
  story.registered();
  const override = { reason: 'agreed' };
  const lost = story.sendAction('dispatch.start', { outcome: 'unknown', code: 'TIMEOUT' }, { override });
  const refused = { outcome: 'rejected', code: 'ILLEGAL_STATE', message: 'already' } as const;
  const others = [0, 1].map(() => story.sendAction('dispatch.start', refused, { override }));
  story.status(10);
  expect(story.shown(lost)).toMatchObject({ outcome: 'applied', settledBy: 'callback' });
  for (const id of others) expect(story.shown(id).outcome).toBe('rejected');
});

it.each(['person', 'callback'])(
  'L29: a refusal is explained by a command that a %s resolved',
  (settledBy) => {
    const story = new Story();
    story.registered();
    const override = { reason: 'agreed' };
    const commandId = story.sendAction(
      'dispatch.start',
      { outcome: 'unknown', code: 'TIMEOUT' },
      { override },
    );
    const refused = { outcome: 'rejected', code: 'ILLEGAL_STATE', message: 'already' } as const;
    const other = story.sendAction('dispatch.start', refused, { override });
    const settled = { commandId, outcome: 'applied', reason: 'seen', by: 'manager' } as const;
    if (settledBy === 'person') story.take(lifecycle.resolveCommand(story.state, settled, story.now));
    story.status(10);
    expect(story.shown(commandId)).toMatchObject({ outcome: 'applied', settledBy });
    expect(story.shown(other).outcome).toBe('rejected');
  },
);

it('L29: a command that was refused because staff acted on the web site is applied once a callback shows it', () => {
  const story = registered();
  const id = story.sendAction('dispatch.start', illegal, { override });
  expect(story.shown(id).outcome).toBe('rejected');
  story.status(10);
  expect(story.shown(id)).toMatchObject({ outcome: 'applied', settledBy: 'callback' });
});

it('L30: a refusal for the state after an unknown attempt stays unknown and is not sent again', () => {
  const story = registered();
  const id = story.sendAction('dispatch.start', unknown, { override });
  story.at(story.nextDeadline ?? 0);
  expect(story.send()?.number).toBe(2);
  expect(story.answer(id, illegal)).toMatchObject({ outcome: 'unknown', code: 'ILLEGAL_STATE' });
  story.at(origin + 3 * hour);
  expect(story.send()).toBeNull();
});

it('L30: 429 is not an attempt and is retried after the wait', () => {
  const story = departed();
  const busy = { outcome: 'held-back', code: 'RATE_LIMITED', retryAfterMs: 7_000 } as const;
  const id = story.sendAction('dispatch.carImage', busy, { override });
  expect(story.shown(id)).toMatchObject({ outcome: 'waiting', attempts: 0 });
  expect(lifecycle.isAnswered('waiting')).toBe(true);
  story.at(origin + 6_999);
  expect(story.send()).toBeNull();
  story.at(origin + 7_000);
  expect(story.send()?.number).toBe(1);
});

it('L30: an accepted answer that cannot be read is applied and marked', () => {
  const id = 'unreadable';
  const story = registered();
  story.sendAction('dispatch.start', { outcome: 'applied', unparsed: true }, { commandId: id, override });
  expect(story.shown(id)).toMatchObject({ outcome: 'applied', code: 'UNPARSED' });
});

it.each([
  ['dispatch.start', 5, whole.period.end],
  ['recall.complete', 30, origin + day],
] as const)('L30: retries of %s back off and end at their deadline', (action, status, deadline) => {
  const story = new Story();
  story.updated(status);
  const id = story.sendAction(action, unknown, { override });
  const sent: number[] = [];
  for (let next = story.nextDeadline; next !== null; next = story.nextDeadline) {
    story.at(next);
    if (story.send() === null) continue;
    sent.push(story.now);
    story.answer(id, unknown);
  }
  const gaps = sent.slice(1).map((at, index) => at - (sent[index] ?? 0));
  expect(gaps.every((gap) => gap >= 1_000 && gap <= 15 * minute)).toBe(true);
  expect(sent.every((at) => at < deadline)).toBe(true);
  expect(sent.at(-1)).toBeGreaterThan(deadline - 16 * minute);
  expect(story.shown(id).outcome).toBe('unknown');
});

it('L30: a command that could never be sent is rejected when its time is over', () => {
  const story = departed();
  const id = story.sendAction(
    'dispatch.carImage',
    { outcome: 'held-back', code: 'UNREACHABLE' },
    { override },
  );
  story.at(whole.period.end);
  expect(story.send()).toBeNull();
  expect(story.shown(id)).toMatchObject({ outcome: 'rejected', code: 'TIME_OVER' });
});

it('L30: a platform without a Retry-After gets retries with growing pauses', () => {
  const story = departed();
  const busy = { outcome: 'held-back', code: 'RATE_LIMITED', retryAfterMs: 0 } as const;
  const id = story.sendAction('dispatch.carImage', busy, { override });
  const gaps = Array.from({ length: 6 }, () => {
    const before = story.now;
    story.at(story.nextDeadline ?? 0);
    expect(story.send()?.number).toBe(1);
    story.answer(id, busy);
    return story.now - before;
  });
  expect(gaps.every((gap) => gap >= 1_000)).toBe(true);
  expect(gaps.at(-1)).toBeGreaterThan(30_000);
});

it('L30: a Retry-After of the platform ends at the deadline of retries', () => {
  const story = departed();
  const never = { outcome: 'held-back', code: 'RATE_LIMITED', retryAfterMs: 365 * day } as const;
  const id = story.sendAction('dispatch.carImage', never, { override });
  story.at(whole.period.end);
  expect(story.send()).toBeNull();
  expect(story.shown(id)).toMatchObject({ outcome: 'rejected', code: 'TIME_OVER' });
});

it('L26: with 64 open commands another is refused, until one has its outcome', () => {
  const story = departed();
  const ids = Array.from({ length: 64 }, () => story.accept('dispatch.staff'));
  expect(story.refusal('dispatch.staff', { override })).toMatchObject({
    code: 'TOO_MANY_OPEN_COMMANDS',
    overridable: false,
  });
  story.send();
  story.answer(ids[0] ?? '', { outcome: 'applied' });
  expect(story.refusal('dispatch.staff')).toBeNull();
});

it('L29: a rejected command stays rejected where another command of ours explains the callbacks', () => {
  const story = registered();
  const first = story.sendAction('dispatch.start', illegal, { override });
  const second = story.sendAction('dispatch.start', { outcome: 'applied' }, { override });
  story.status(10);
  expect(story.shown(first).outcome).toBe('rejected');
  expect(story.shown(second)).toMatchObject({ outcome: 'applied', settledBy: 'answer' });
});

it('L24: an outcome that stays unknown is raised once, also while one more attempt is on the wire', () => {
  const story = registered();
  const id = story.sendAction('dispatch.start', unknown, { override });
  for (let attempt = 2; attempt <= 6; attempt++) {
    story.at(story.nextDeadline ?? 0);
    expect(story.send()?.number).toBe(attempt);
    story.updated(5, { pickupMemo: `gate ${attempt}` });
    expect(story.kinds.includes('command-unknown')).toBe(attempt > 3);
    story.answer(id, unknown);
  }
  expect(story.entries.filter(({ attention }) => attention?.kind === 'command-unknown')).toHaveLength(1);
  story.status(10);
  expect(story.kinds).not.toContain('command-unknown');
});

it('L24: a command that another run may have sent is not sent again: evidence or a person resolves it', () => {
  const story = registered();
  story.sendAction('dispatch.staff');
  const commandId = story.sendAction('dispatch.start', { outcome: 'unknown', code: 'RUN_LOST' });
  const command = () => story.state.commands.find((one) => one.commandId === commandId);
  expect(command()).toMatchObject({ state: 'unknown', nextTryAt: null, doubtful: true });
  story.updated(10);
  expect(command()).toMatchObject({ state: 'applied', settledBy: 'callback' });
});

it('G15: the photo actions, and no other, are refused without a photo', () => {
  const story = new Story();
  story.registered();
  const without = lifecycle.actions.filter(
    (action) => story.refusal(action, { body: {} })?.code === 'PHOTO_MISSING',
  );
  expect(without).toEqual(['dispatch.parkingImage', 'dispatch.carImage', 'recall.carImage']);
});

it('L13, L24: what dispatch complete carries counts at 15, over a value that was reported at 10', () => {
  const story = new Story();
  story.registered();
  story.updated(10, { parking: { memo: 'level 1', lotType: 0 } });
  const body = { parkingMemo: 'level 2', parkingLotType: 1 } as const;
  story.sendAction('dispatch.complete', { outcome: 'applied' }, { body, override: { reason: 'by phone' } });
  expect(story.view.parking).toMatchObject({ memo: 'level 2', lotType: 1 });
  expect(story.view.marks).toEqual([]);
});

it('L24: a lost parking photo is shown by the first image URL, whatever other actions were applied before', () => {
  const story = departed();
  const commandId = story.sendAction('dispatch.parkingImage', unknown);
  story.updated(10, { parking: { imageUrl: 'https://platform.example/1.jpg' } });
  expect(story.shown(commandId)).toMatchObject({ outcome: 'applied' });
});

it('the entry of an event has its inbox row, its verdict and its status', () => {
  const story = registered();
  story.updated(10);
  const { data } = story.entries.findLast(({ kind }) => kind === 'event') ?? {};
  expect(data).toMatchObject({ inboxId: 2, verdict: 'applied', status: 10 });
  story.carChanged(12, 13);
  expect(story.entries.findLast(({ kind }) => kind === 'event')?.data).toMatchObject({ status: null });
});

it('L24: one new image URL shows the newest of two lost parking photos; the other stays unknown', () => {
  const story = departed();
  const first = story.sendAction('dispatch.parkingImage', unknown);
  const second = story.sendAction('dispatch.parkingImage', unknown);
  story.updated(10, { parking: { imageUrl: 'https://platform.example/1.jpg' } });
  expect([first, second].map((id) => story.shown(id).outcome)).toEqual(['unknown', 'applied']);
  story.updated(10, { parking: { imageUrl: 'https://platform.example/2.jpg' } });
  expect(story.shown(first).outcome).toBe('unknown');
});

it('events are counted as they are applied, repeated ones once', () => {
  const story = registered();
  expect(story.state.arrivals).toBe(1);
  story.updated(10, { eventId: 'e', contentHash: 'c' });
  story.updated(10, { eventId: 'e', contentHash: 'c' });
  expect(story.state.arrivals).toBe(2);
});

it('L30: an action that is held back is tried again within 5 minutes for an hour, then within 15', () => {
  const story = registered();
  const heldBack = { outcome: 'held-back', code: 'UNREACHABLE' } as const;
  const id = story.sendAction('dispatch.start', heldBack, { override });
  const waits: [at: number, wait: number][] = [];
  while (story.now < origin + 3 * hour) {
    const from = story.now;
    story.at(story.nextDeadline ?? Number.NaN);
    if (story.send() === null) continue;
    waits.push([from - origin, story.now - from]);
    story.answer(id, heldBack);
  }
  const longest = (some: [number, number][]) => Math.max(...some.map(([, wait]) => wait));
  expect(longest(waits.filter(([at]) => at < hour))).toBeLessThanOrEqual(5 * minute);
  expect(longest(waits.filter(([at]) => at >= hour))).toBeGreaterThan(5 * minute);
});

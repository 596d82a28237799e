import { expect, it } from 'vitest';
import * as lifecycle from '../../../../src/domain/reservation/index.js';
import {
  hour,
  origin,
  override,
  photo,
  type Story,
  storyAt,
  unknown,
} from '../../../support/reservation-story.js';

const busy = { outcome: 'held-back', code: 'RATE_LIMITED' } as const;
const illegal = { outcome: 'rejected', code: 'ILLEGAL_STATE', message: 'not at 5' } as const;
const notFound = { outcome: 'rejected', code: 'NOT_FOUND', message: 'absent' } as const;

const shows = (story: Story, url: string) =>
  story.updated(10, { parking: { imageUrl: `https://p.example/${url}` } });
function resolve(story: Story, commandId: string, outcome: 'applied' | 'rejected'): void {
  const input = { commandId, outcome, reason: 'seen on the web site', by: 'lee' };
  story.take(lifecycle.resolveCommand(story.state, input, story.now));
}

it('L24: a callback resolves no command whose request is out: its answer does', () => {
  const story = storyAt(5);
  const id = story.accept('dispatch.start', { override });
  story.status(10);
  expect(story.shown(id).outcome).toBe('queued');
  const other = storyAt(5);
  const out = other.accept('dispatch.start', { override });
  other.send();
  other.status(10);
  expect(other.shown(out).outcome).toBe('out');
  expect(other.answer(out, { outcome: 'applied' })).toMatchObject({
    outcome: 'applied',
    settledBy: 'answer',
  });
});

it('L24: a callback resolves no command that waits', () => {
  const story = storyAt(5);
  const id = story.sendAction('dispatch.start', busy, { override });
  story.status(10);
  expect(story.shown(id).outcome).toBe('waiting');
});

it.each([
  ['L24', 'of unknown outcome', unknown, 'TIMEOUT'],
  ['L29', 'refused for the status', illegal, 'ILLEGAL_STATE'],
] as const)(
  '%s: the entry of a command %s that a callback resolves has its rule and outcome, its view has its code',
  (rule, _, answer, code) => {
    const story = storyAt(5);
    story.sendAction('dispatch.staff');
    const commandId = story.sendAction('dispatch.start', answer);
    story.status(10);
    expect(
      story.entries.find(({ text }) => text === 'Start dispatch: applied, as a callback shows.'),
    ).toMatchObject({
      kind: 'command',
      rule,
      data: { commandId, action: 'dispatch.start', outcome: 'applied' },
    });
    expect(story.shown(commandId)).toMatchObject({
      outcome: 'applied',
      settledBy: 'callback',
      code,
      message: null,
    });
  },
);

it.each([
  ['for the status, where no callback shows its status', illegal, 5],
  ['for another reason', notFound, 10],
] as const)('L29: a command refused %s stays rejected', (_, answer, status) => {
  const story = storyAt(5);
  const id = story.sendAction('dispatch.start', answer, { override });
  story.updated(status, { pickupMemo: 'gate 2' });
  expect(story.shown(id)).toMatchObject({ outcome: 'rejected', settledBy: 'answer', code: answer.code });
});

it('L29: a photo that was refused for the status stays rejected: no callback shows it', () => {
  const story = storyAt(10);
  const id = story.sendAction('dispatch.parkingImage', illegal, { override });
  shows(story, '1');
  expect(story.shown(id).outcome).toBe('rejected');
});

it('L30: after an attempt of unknown outcome a refusal for another reason than the status is final', () => {
  const story = storyAt(5);
  const id = story.sendAction('dispatch.start', unknown, { override });
  story.at(story.nextDeadline ?? Number.NaN).send();
  expect(story.answer(id, notFound)).toMatchObject({
    outcome: 'rejected',
    code: 'NOT_FOUND',
    message: 'absent',
  });
  story.status(10);
  expect(story.shown(id).outcome).toBe('rejected');
});

it('L24: of two lost starts each is applied where a callback shows it, the newest first', () => {
  const story = storyAt(5);
  const ids = [1, 2].map(() => story.sendAction('dispatch.start', unknown, { override }));
  story.status(10);
  expect(ids.map((id) => story.shown(id).outcome)).toEqual(['applied', 'applied']);
  const resolved = story.entries.filter(({ rule, kind }) => rule === 'L24' && kind === 'command');
  expect(resolved.slice(-2).map(({ data }) => data.commandId)).toEqual(ids.toReversed());
  expect(story.state.commands.map(({ urlBefore }) => urlBefore)).toEqual([null, null]);
});

it('L24: what a lost parking photo carried becomes known with it, and its entry names that', () => {
  const story = storyAt(10);
  const body = { photo, parkingMemo: 'B2', parkingLotType: 1 } as const;
  story.sendAction('dispatch.parkingImage', unknown, { override, body });
  expect(story.view.parking).toMatchObject({ memo: null, lotType: null });
  shows(story, '1');
  expect(story.view.parking).toMatchObject({ memo: 'B2', lotType: 1 });
  expect(story.entries.find(({ text }) => text.includes('as a callback shows'))?.text).toContain(
    'Known now: parking memo, parking lot type.',
  );
});

it('L24: while the photo of an applied command has no image URL of its own yet, no URL shows another photo', () => {
  const story = storyAt(10);
  shows(story, '1');
  story.sendAction('dispatch.parkingImage', { outcome: 'applied' }, { override });
  const second = story.sendAction('dispatch.parkingImage', unknown, { override });
  expect(story.state.commands.at(-1)?.urlBefore).toBe('unclear');
  shows(story, '2');
  expect(story.shown(second).outcome).toBe('unknown');
  const third = story.sendAction('dispatch.parkingImage', unknown, { override });
  shows(story, '3');
  expect(story.shown(third).outcome).toBe('applied');
  expect(story.shown(second).outcome).toBe('unknown');
});

it('L24: a photo that is rejected or of unknown outcome does not make the next URL unclear', () => {
  const story = storyAt(10);
  story.sendAction('dispatch.parkingImage', notFound, { override });
  story.sendAction('dispatch.carImage', { outcome: 'applied' }, { override });
  const id = story.sendAction('dispatch.parkingImage', unknown, { override });
  shows(story, '1');
  expect(story.shown(id).outcome).toBe('applied');
});

it('L24: one image URL resolves no car photo, and leaves other commands of unknown outcome as they are', () => {
  const story = storyAt(10);
  const carImage = story.sendAction('dispatch.carImage', unknown, { override });
  const parkingImage = story.sendAction('dispatch.parkingImage', unknown, { override });
  shows(story, '1');
  expect([carImage, parkingImage].map((id) => story.shown(id).outcome)).toEqual(['unknown', 'applied']);
});

it('L60: an image URL is stored with a command as a fingerprint only', () => {
  const story = storyAt(10);
  shows(story, 'SECRET');
  story.sendAction('dispatch.parkingImage', unknown, { override });
  expect(JSON.stringify(story.state.commands)).not.toContain('SECRET');
});

it.each([
  ['applied', ' Now at 10 (dispatch departed).'],
  ['rejected', ''],
] as const)(
  'L24: the entry of a resolution by a person as %s names the person, the action and what follows',
  (outcome, moved) => {
    const story = storyAt(5);
    const commandId = story.sendAction('dispatch.start', unknown, { override });
    resolve(story, commandId, outcome);
    const entry = story.entries.find(({ text }) => text.startsWith('lee resolved'));
    expect(entry).toMatchObject({ kind: 'decision', rule: 'L24' });
    expect(entry?.text).toContain(`lee resolved "start dispatch" as ${outcome}.${moved}`);
    expect(entry?.data).toMatchObject({ commandId, action: 'dispatch.start', outcome, by: 'lee' });
    expect(story.shown(commandId)).toMatchObject({
      outcome,
      settledBy: 'person',
      code: 'TIMEOUT',
      message: 'seen on the web site',
    });
  },
);

it('L24: what a person resolved as rejected stays rejected when a callback shows the status, and is not resolved twice', () => {
  const story = storyAt(5);
  const commandId = story.sendAction('dispatch.start', unknown, { override });
  resolve(story, commandId, 'rejected');
  expect(story.view.status.code).toBe(5);
  const before = story.state;
  resolve(story, commandId, 'applied');
  expect(story.state).toEqual(before);
  story.status(10);
  expect(story.shown(commandId).outcome).toBe('rejected');
});

it("the platform's text of an earlier refusal is not shown with a later outcome", () => {
  const story = storyAt(5);
  const commandId = story.sendAction('dispatch.start', unknown, { override });
  story.at(story.nextDeadline ?? Number.NaN).send();
  const refused = { ...illegal, platformMessage: 'text of the platform' };
  expect(story.answer(commandId, refused).platformMessage).toBe('text of the platform');
  resolve(story, commandId, 'applied');
  expect(story.shown(commandId)).not.toHaveProperty('platformMessage');
});

it('L25: an action that moves no status takes over its staff; the newest assignment counts', () => {
  const story = storyAt(10);
  story.sendAction(
    'dispatch.staff',
    { outcome: 'applied' },
    { body: { staffName: 'Kim', staffPhone: '01012345678' } },
  );
  story.now = origin + hour;
  const second = story.sendAction('dispatch.staff', { outcome: 'applied' }, { body: { staffName: 'Lee' } });
  story.sendAction('recall.staff', { outcome: 'applied' }, { override, body: { staffName: 'Park' } });
  expect(story.view.dispatch.staff).toMatchObject({
    staffName: 'Lee',
    staffPhone: '',
    source: { kind: 'command', id: second },
    at: '2026-11-21T10:00:00.000+09:00',
  });
  expect(story.view.recall.staff).toMatchObject({ staffName: 'Park' });
  expect(story.state.steps.map(({ action }) => action)).toEqual(['dispatch.staff', 'recall.staff']);
});

it('L20: an accepted action infers the status that it needs only where that was not reached', () => {
  const inferred = (story: Story) =>
    story.state.statuses.flatMap((one) => (one.inferred === null ? [] : [one.code]));
  const known = storyAt(10);
  known.sendAction('dispatch.carImage', { outcome: 'applied' }, { override });
  expect(inferred(known)).toEqual([]);
  const behind = storyAt(5);
  behind.sendAction('dispatch.carImage', { outcome: 'applied' }, { override });
  expect(inferred(behind)).toEqual([10]);
});

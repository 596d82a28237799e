import { expect, it } from 'vitest';
import * as lifecycle from '../../../../src/domain/reservation/index.js';
import { hour, origin, override, Story, unknown } from '../../../support/reservation-story.js';

const nine = '2026-11-21T09:00:00.000+09:00';
const ten = '2026-11-21T10:00:00.000+09:00';

function settle(story: Story, commandId: string): void {
  const resolution = { commandId, outcome: 'applied', reason: 'seen', by: 'manager' } as const;
  story.take(lifecycle.resolveCommand(story.state, resolution, story.now));
}
const byEvent = (id: number, at: string) => ({
  grade: 'observed',
  source: { kind: 'event', id: `${id}` },
  at,
});

it('a fact from a callback names the event by its row in the inbox', () => {
  const story = new Story();
  story.observe({
    ...story.event('registration', { status: 5, car: { id: 12, number: null }, pickupMemo: 'gate 2' }),
    eventId: `message of ${'a very long sender '.repeat(20)}`,
    inboxId: 77,
  });
  expect(story.view).toMatchObject({
    status: { code: 5, grade: 'observed', source: { kind: 'event', id: '77' }, since: nine },
    car: { id: 12, ...byEvent(77, nine) },
    period: null,
    evidence: { 'pickup.memo': byEvent(77, nine) },
  });
  expect(story.view.evidence).not.toHaveProperty('driver');
  expect(JSON.stringify(story.state)).not.toContain('very long sender');
});

it('each fact names the newest event that reported it, not the newest event', () => {
  const story = new Story();
  story.registered({ inboxId: 1 });
  story.now = origin + hour;
  story.observe(story.event('car', { previousCarId: 12, car: { id: 13, number: null }, inboxId: 2 }));
  expect(story.view.car).toMatchObject(byEvent(2, ten));
  expect(story.view.period).toMatchObject(byEvent(1, nine));
});

it('L22: a fact from a command names the command until a callback makes it observed', () => {
  const story = new Story();
  story.registered();
  const staff = story.sendAction('dispatch.staff');
  const start = story.sendAction('dispatch.start');
  const body = {
    photo: { hash: 'ab', type: 'image/png', size: 1 },
    parkingMemo: 'B2',
    parkingLotType: 1 as const,
  };
  const image = story.sendAction('dispatch.parkingImage', { outcome: 'applied' }, { body });
  const commanded = (id: string) => ({ grade: 'commanded', source: { kind: 'command', id }, at: nine });
  expect(story.view).toMatchObject({
    status: { code: 10, grade: 'commanded', source: { kind: 'command', id: start } },
    dispatch: { staff: commanded(staff), parkingImage: commanded(image) },
    evidence: {
      'dispatch.startedAt': commanded(start),
      'parking.memo': commanded(image),
      'parking.lotType': commanded(image),
    },
  });
  story.now = origin + hour;
  story.observe(story.event('update', { status: 10, parking: { memo: 'B2' }, inboxId: 9 }));
  expect(story.view.status).toMatchObject({ grade: 'observed', source: { kind: 'event', id: '9' } });
  expect(story.view.evidence['parking.memo']).toEqual(byEvent(9, ten));
});

it('L04: an unreported rung is inferred from the status that implies it', () => {
  const story = new Story();
  story.registered();
  story.status(15, { inboxId: 5 });
  expect(story.view.evidence).toMatchObject({
    'dispatch.startedAt': { grade: 'inferred', source: { kind: 'inference', id: '15' }, at: nine },
    'dispatch.completedAt': byEvent(5, nine),
  });
  expect(story.view.dispatch.startedAt).toBeNull();
});

it('L20: a status that only an accepted override supports names that command', () => {
  const story = new Story();
  story.registered();
  const id = story.sendAction('recall.carImage', { outcome: 'applied' }, { override });
  expect(story.view.status).toMatchObject({ code: 30, grade: 'inferred', source: { kind: 'command', id } });
});

it('a fact that a person asserts names the person', () => {
  const story = new Story();
  story.take(
    lifecycle.assertFacts(story.state, { status: 10, carId: 12, reason: 'seen', by: 'manager' }, story.now),
  );
  const person = { grade: 'asserted', source: { kind: 'person', id: 'manager' } };
  expect(story.view).toMatchObject({ status: person, car: { ...person, at: nine } });
  settle(story, story.sendAction('dispatch.carImage', unknown, { override }));
  settle(story, story.sendAction('dispatch.complete', unknown, { override }));
  expect(story.view.dispatch.carImage).toMatchObject(person);
  expect(story.view.status).toMatchObject({ code: 15, ...person });
});

it('L24: a photo whose lost answer a callback resolved is corroborated: the callback shows that a photo exists, not which one', () => {
  const story = new Story();
  story.updated(10);
  const id = story.sendAction('dispatch.parkingImage', unknown, { override });
  story.updated(10, { parking: { imageUrl: 'https://p.example/new' } });
  expect(story.view.dispatch.parkingImage).toMatchObject({
    grade: 'corroborated',
    source: { kind: 'command', id },
  });
});

it("Temporal UI's details name grade and source of status, period and car", () => {
  const story = new Story();
  story.registered({ inboxId: 4 });
  const id = story.sendAction('dispatch.start', { outcome: 'applied' }, { override });
  const details = story.outlook.details;
  expect(details).toContain(`10 dispatch departed**, commanded (command ${id})`);
  expect(details).toMatch(/Period .* observed \(event 4\)/);
  expect(details).toMatch(/Car 12 12가3456, observed \(event 4\)/);
});

it('each plain value has its evidence under its own path, and one that is not known has none', () => {
  const driver = { name: 'Lee', birth: null, phone: null, licenseNumber: null, address: null };
  const reported: [lifecycle.PlainFact, Partial<lifecycle.ReservationEvent>][] = [
    ['company', { company: { id: 3, name: null } }],
    ['service', { service: { id: 4, name: null } }],
    ['productId', { productId: 7 }],
    ['createdAt', { createdAt: origin - hour }],
    ['pickup.address', { pickupAddress: 'Station exit 3' }],
    ['pickup.memo', { pickupMemo: 'gate 2' }],
    ['driver', { driver }],
    ['companion', { companion: null }],
    ['parking.memo', { parking: { memo: 'B2' } }],
    ['parking.imageUrl', { parking: { imageUrl: 'https://p.example/1' } }],
    ['parking.lotType', { parking: { lotType: 1 } }],
    ['driving.start', { driving: { start: origin } }],
    ['driving.end', { driving: { end: origin } }],
  ];
  for (const [path, parts] of reported) {
    const story = new Story();
    story.observe(story.event('update', { status: 5, ...parts, inboxId: 7 }));
    expect(story.view.evidence).toEqual({ [path]: byEvent(7, nine) });
  }
  const reached = (status: number) => {
    const story = new Story();
    story.status(status, { inboxId: 7 });
    return story.view.evidence;
  };
  const implied = (by: number) => ({
    grade: 'inferred',
    source: { kind: 'inference', id: `${by}` },
    at: nine,
  });
  expect(reached(10)).toEqual({ 'dispatch.startedAt': byEvent(7, nine) });
  expect(reached(15)).toEqual({
    'dispatch.startedAt': implied(15),
    'dispatch.completedAt': byEvent(7, nine),
  });
  expect(reached(35)).toEqual({
    'dispatch.startedAt': implied(35),
    'dispatch.completedAt': implied(35),
    'recall.completedAt': byEvent(7, nine),
  });
  const paths = [...reported.map(([path]) => path), ...Object.keys(reached(35))];
  expect(lifecycle.plainFacts.toSorted()).toEqual(paths.toSorted());
});

it('L04: the evidence of a status is dated when the platform reports its change, else by the status that implies it', () => {
  const story = new Story();
  story.at(origin + hour).status(15, { changedAt: origin });
  story.status(10);
  expect(story.view.evidence).toMatchObject({
    'dispatch.startedAt': { at: ten },
    'dispatch.completedAt': { at: nine },
  });
  const implied = new Story();
  implied.at(origin + hour).status(15, { changedAt: origin });
  expect(implied.view.evidence['dispatch.startedAt']?.at).toBe(nine);
});

import { expect, it } from 'vitest';
import type { Entry } from '../../../console/offline/entry.js';
import { inOrder, type Job, mapLink, stepsOf } from '../../../console/screens/go/job.js';
import type { Action } from '../../../src/domain/reservation/actions.js';
import { jobAt } from '../../support/jobs.js';

const job = (changes: Partial<Job> = {}): Job => ({
  reservationId: 8421,
  sequence: 1,
  plate: '12가3456',
  carId: 12,
  status: 5,
  grade: 'observed',
  phase: 'dispatch',
  dueAt: '2026-11-21T09:00:00.000+09:00',
  place: null,
  memos: [],
  staff: 'kim',
  isMine: true,
  staleSince: null,
  language: 'en',
  steps: [
    { action: 'dispatch.staff', state: 'allowed', message: null, isDone: true },
    { action: 'dispatch.start', state: 'next', message: null, isDone: false },
    { action: 'dispatch.parkingImage', state: 'needs-override', message: 'too early', isDone: false },
    { action: 'dispatch.carImage', state: 'needs-override', message: 'too early', isDone: false },
    { action: 'dispatch.complete', state: 'needs-override', message: 'too early', isDone: false },
  ],
  ...changes,
});
const waiting = (action: Action, reservationId = 8421) => ({ action, reservationId }) as Entry;
const states = (...queued: Action[]) =>
  stepsOf(
    job(),
    queued.map((action) => waiting(action)),
  ).map(({ is }) => is);

it('each step can follow those that wait on the phone, in the recommended order', () => {
  const early = 'needs-override';
  expect(states()).toEqual(['done', 'next', early, early, early]);
  expect(states('dispatch.start')).toEqual(['done', 'queued', 'after', early, early]);
  expect(states('dispatch.start', 'dispatch.parkingImage')).toEqual([
    'done',
    'queued',
    'queued',
    'after',
    early,
  ]);
});

it('what waits of another reservation changes nothing', () => {
  const steps = stepsOf(job(), [waiting('dispatch.start', 7000)]);
  expect(steps.find(({ isRecommended }) => isRecommended)?.action).toBe('dispatch.start');
});

it('a recall is not possible before the car is back, whatever waits', () => {
  const steps: Job['steps'] = [
    { action: 'recall.staff', state: 'next', message: null, isDone: false },
    { action: 'recall.carImage', state: 'needs-override', message: 'too early', isDone: false },
  ];
  const of = (status: number) =>
    stepsOf(job({ phase: 'recall', status, steps }), [waiting('recall.staff')]).map(({ is }) => is);
  expect([of(20), of(30)]).toEqual([
    ['queued', 'needs-override'],
    ['queued', 'after'],
  ]);
});

it('jobs are sorted by their time', () => {
  const later = job({ reservationId: 2, dueAt: '2026-11-21T10:00:00.000+09:00' });
  const unknown = job({ reservationId: 3, dueAt: null });
  expect(inOrder([unknown, later, job()]).map(({ reservationId }) => reservationId)).toEqual([8421, 2, 3]);
});

it('a job is due as on the board: at the start, at the end, and once the car is back since its return', () => {
  expect([5, 10, 15, 20, 25, 30].map((code) => jobAt(code).dueAt)).toEqual([
    'start',
    'start',
    'end',
    'end',
    'end',
    'return',
  ]);
});

it('the place opens in the map of the phone', () => {
  expect(mapLink('서울역 1', 'Linux; Android 15')).toBe('geo:0,0?q=%EC%84%9C%EC%9A%B8%EC%97%AD%201');
  expect(mapLink('a&b', 'iPhone')).toBe('https://maps.apple.com/?q=a%26b');
  expect(mapLink('a', 'Windows')).toBe('https://www.openstreetmap.org/search?query=a');
});

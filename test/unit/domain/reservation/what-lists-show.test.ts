import { expect, it } from 'vitest';
import * as lifecycle from '../../../../src/domain/reservation/index.js';
import { Story, whole } from '../../../support/reservation-story.js';

it('L60: a list shows status, car, company, period and open attention of a reservation, and nothing else', () => {
  const story = new Story();
  const nothing = { status: null, carId: null, companyId: null, period: null, attention: [] };
  expect(lifecycle.listFacts(story.state)).toEqual(nothing);
  story.registered({ pickupMemo: 'gate 2' });
  story.updated(20);
  story.status(99);
  story.at(whole.period.end);
  const known = { status: 20, carId: 12, companyId: 3, period: whole.period };
  expect(lifecycle.listFacts(story.state)).toEqual({
    ...known,
    attention: ['return-late', 'unknown-status'],
  });
  expect(story.outlook.facts).toEqual(lifecycle.listFacts(story.state));
  const resolution = { kind: 'return-late', reason: 'on the way', by: 'dana' } as const;
  story.take(lifecycle.resolveAttention(story.state, resolution, story.now));
  expect(lifecycle.listFacts(story.state)).toEqual({ ...known, attention: ['unknown-status'] });
});

it.each([
  ['https://photos.example/1.jpg', true],
  ['http://photos.example/1.jpg?size=2#top', true],
  ['HTTPS://PHOTOS.EXAMPLE/1.JPG', true],
  ['javascript:alert(1)', false],
  ['data:text/html,https://photos.example', false],
  ['https://photos.example/1.jpg" onload="x', false],
  ['https://photos.example/<script>', false],
  ['https://', false],
  ['', false],
  [null, false],
  [undefined, false],
])(
  'an address that a console links to begins with http and has no quotes, brackets or spaces: %s',
  (text, isAddress) => {
    expect(lifecycle.webAddress(text)).toBe(isAddress ? text : null);
  },
);

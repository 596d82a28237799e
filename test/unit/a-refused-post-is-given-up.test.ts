import { expect, it } from 'vitest';
import { isGivenUp, isOfThePost, isRefusal, refusedAtMostMs } from '../../src/outbox/giving-up.js';

const long = refusedAtMostMs;

it.each([400, 409, 413, 415, 422])(
  'HTTP %d concerns this post: it is given up after ten minutes, not before',
  (status) => {
    const code = `HTTP_${status}`;
    expect(isOfThePost(code)).toBe(true);
    expect(isGivenUp(code, long - 1, Infinity)).toBe(false);
    expect(isGivenUp(code, long, Infinity)).toBe(true);
  },
);

it.each([401, 403, 404, 405, 410])(
  'HTTP %d may concern all posts: a post is given up only where the receiver accepted another one meanwhile',
  (status) => {
    const code = `HTTP_${status}`;
    expect([isRefusal(code), isOfThePost(code)]).toEqual([true, false]);
    expect(isGivenUp(code, 100 * long, Infinity)).toBe(false);
    expect(isGivenUp(code, long, long)).toBe(false);
    expect(isGivenUp(code, long, long - 1)).toBe(true);
    expect(isGivenUp(code, long - 1, 0)).toBe(false);
  },
);

it.each(['HTTP_408', 'HTTP_425', 'HTTP_429', 'HTTP_500', 'HTTP_301', 'TIMEOUT', 'ECONNREFUSED'])(
  '%s is temporary: the post is never given up',
  (code) => {
    expect(isRefusal(code)).toBe(false);
    expect(isGivenUp(code, 100 * long, 0)).toBe(false);
  },
);

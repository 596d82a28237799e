import { describe, expect, it } from 'vitest';
import { Cache } from '../../../console/state/cache.js';

const rendered = () => Promise.resolve();

describe('what components share', () => {
  it('stays while one of them uses it, however much there is', async () => {
    const cache = new Cache<object>(2);
    const keys = Array.from({ length: 64 }, (_, at) => `callback ${at}`);
    const values = keys.map((key) => cache.get(key, () => ({})));
    const releases = keys.map((key) => cache.use(key));
    await rendered();
    expect(keys.map((key) => cache.get(key, () => ({})))).toEqual(values);
    for (const release of releases) release();
    await rendered();
    const left = keys.filter((key, at) => cache.get(key, () => ({})) === values[at]);
    expect(left).toEqual(['callback 62', 'callback 63']);
  });

  it('stays for the other users when one of them ends', async () => {
    const cache = new Cache<object>(0);
    const value = cache.get('board', () => ({}));
    const release = cache.use('board');
    const releaseLast = cache.use('board');
    release();
    await rendered();
    expect(cache.get('board', () => ({}))).toBe(value);
    releaseLast();
    await rendered();
    expect(cache.get('board', () => ({}))).not.toBe(value);
  });

  it('stays without a user while it may not be deleted, such as a write without an outcome', async () => {
    const cache = new Cache<{ is: string }>(0, ({ is }) => is !== 'lost');
    const lost = cache.get('8001 dispatch.start', () => ({ is: 'lost' }));
    const idle = cache.get('8002 dispatch.start', () => ({ is: 'idle' }));
    await rendered();
    expect(cache.get('8001 dispatch.start', () => ({ is: 'idle' }))).toBe(lost);
    expect(cache.get('8002 dispatch.start', () => ({ is: 'idle' }))).not.toBe(idle);
  });
});

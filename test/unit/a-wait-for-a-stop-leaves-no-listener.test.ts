import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { orStopped } from '../../src/temporal/connection/or-stopped.js';

const listenersOn = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

it('a wait whose promise is settled leaves no listener on the signal', async () => {
  const { signal } = new AbortController();
  expect(await orStopped(Promise.resolve('done'), signal)).toBe('done');
  await expect(orStopped(Promise.reject(new Error('failed')), signal)).rejects.toThrow('failed');
  expect(listenersOn(signal)).toBe(0);
});

it('a stop ends the wait, also a stop before it', async () => {
  const stopping = new AbortController();
  const waiting = orStopped(new Promise(() => {}), stopping.signal);
  stopping.abort();
  expect(await waiting).toBeUndefined();
  expect(await orStopped(new Promise(() => {}), stopping.signal)).toBeUndefined();
  expect(listenersOn(stopping.signal)).toBe(0);
});

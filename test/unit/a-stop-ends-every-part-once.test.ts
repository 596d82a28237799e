import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { Stack } from '../../src/app/startup/stack.js';
import { deferred } from '../../src/domain/shared/deferred.js';
import { CurrentProduct, type Product } from '../../src/tools/rehearse/stage/current-product.js';

/** Whether the promise has resolved after all due work has run. */
async function isDone(promise: Promise<unknown>): Promise<boolean> {
  let done = false;
  void promise.then(() => {
    done = true;
  });
  await new Promise(setImmediate);
  return done;
}

describe('parts', () => {
  it('a second stop waits for the first, and stops no part twice', async () => {
    const stack = new Stack(pino({ level: 'silent' }));
    const ended = deferred<void>();
    const stop = vi.fn(() => ended.promise);
    await stack.start('engine', async () => 'engine', stop);
    const [first, second] = [stack.stop(), stack.stop()];
    expect([await isDone(first), await isDone(second)]).toEqual([false, false]);
    ended.resolve();
    await Promise.all([first, second]);
    expect(stop).toHaveBeenCalledOnce();
  });
});

describe('the product of a rehearsal', () => {
  const product = { url: 'http://127.0.0.1' } as Product;

  function started(running: Promise<Product> = Promise.resolve(product)) {
    return { running, stop: vi.fn(async () => {}) };
  }

  it('is stopped while it is still starting', async () => {
    const current = new CurrentProduct();
    const starting = deferred<Product>();
    const one = started(starting.promise);
    const using = current.with('key', () => one);
    expect(await isDone(using)).toBe(false);
    await current.end();
    expect(one.stop).toHaveBeenCalledOnce();
    starting.resolve(product);
    await using;
  });

  it('after a stop the next scenario starts another one', async () => {
    const current = new CurrentProduct();
    const [one, other] = [started(), started()];
    await current.with('key', () => one);
    await current.stop();
    expect(await current.with('key', () => other)).toBe(product);
    expect([one.stop.mock.calls.length, other.stop.mock.calls.length]).toEqual([1, 0]);
  });

  it('after the end none starts, not even one that was to replace another', async () => {
    const current = new CurrentProduct();
    const one = started();
    await current.with('first', () => one);
    const start = vi.fn();
    const replacing = current.with('second', start);
    await Promise.all([expect(replacing).rejects.toThrow('the rehearsal ends'), current.end()]);
    await expect(current.with('third', start)).rejects.toThrow('the rehearsal ends');
    expect(start).not.toHaveBeenCalled();
    expect(one.stop).toHaveBeenCalledOnce();
  });

  it('one that does not start is stopped, and the next scenario tries again', async () => {
    const current = new CurrentProduct();
    const failing = started(Promise.reject(new Error('no port')));
    await expect(current.with('key', () => failing)).rejects.toThrow('no port');
    expect(failing.stop).toHaveBeenCalledOnce();
    expect(await current.with('key', () => started())).toBe(product);
  });
});

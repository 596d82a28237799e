import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { Stack } from '../../src/app/startup/stack.js';
import { deferred } from '../../src/domain/shared/deferred.js';
import { CurrentProduct, type Product } from '../../src/tools/rehearse/stage/current-product.js';
import { fingerprint } from '../../src/tools/rehearse/stage/folders.js';

/** How far a promise has come, once all that is due has run. */
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
  const productOf = (stop: () => Promise<void>) => ({ stop }) as Product;

  it('one that is still starting is stopped once it runs', async () => {
    const current = new CurrentProduct();
    const started = deferred<Product>();
    const stop = vi.fn(async () => {});
    const using = current.with('key', () => started.promise);
    const stopped = current.stop();
    expect(await isDone(stopped)).toBe(false);
    started.resolve(productOf(stop));
    await Promise.all([using, stopped]);
    expect(stop).toHaveBeenCalledOnce();
  });

  it('none starts after a stop', async () => {
    const current = new CurrentProduct();
    await current.stop();
    const start = vi.fn();
    await expect(current.with('key', start)).rejects.toThrow('the rehearsal stops');
    expect(start).not.toHaveBeenCalled();
  });

  it('where one does not start, the next scenario tries again', async () => {
    const current = new CurrentProduct();
    await expect(current.with('key', () => Promise.reject(new Error('no port')))).rejects.toThrow('no port');
    const product = productOf(async () => {});
    expect(await current.with('key', async () => product)).toBe(product);
  });

  it('its databases are made again for another version of the embedded Postgres', async () => {
    expect(await fingerprint('0.6.0')).not.toBe(await fingerprint('0.5.0'));
    expect(await fingerprint()).toBe(await fingerprint());
  });
});

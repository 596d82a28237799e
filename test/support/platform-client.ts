import { expect, onTestFinished } from 'vitest';
import {
  createPlatformClient,
  type PlatformClient,
  type PlatformClientOptions,
} from '../../src/platform/client/index.js';
import { PlatformCallError } from '../../src/platform/errors.js';
import type { BookingRequest, Photo } from '../../src/platform/model.js';
import { defaultProfile } from '../../src/platform/profiles/default/index.js';

/** A client of the default profile with both keys, closed when the test is over. */
export function clientOf(baseUrl: string, options: Partial<PlatformClientOptions> = {}) {
  const client = createPlatformClient({
    baseUrl,
    profile: defaultProfile,
    keys: { channel: 'channel-key', supplier: 'supplier-key' },
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
}

/** Values that are all known. */
type Sure<T> = T extends readonly (infer Item)[]
  ? Sure<Item>[]
  : T extends object
    ? { [K in keyof T]: Sure<Exclude<T[K], null>> }
    : T;
type Method<M> = M extends (...args: infer Args) => Promise<infer Out>
  ? (...args: Args) => Promise<Sure<Out>>
  : never;
/** A client of a platform that writes everything as the profile has it, such as the sandbox. */
export type SureClient = { [K in keyof PlatformClient]: Method<PlatformClient[K]> };

export function createSureClient(options: PlatformClientOptions): SureClient {
  return createPlatformClient(options) as unknown as SureClient;
}

/** The PlatformCallError that a call ends with, after checking that it names neither a person nor a key. */
export async function failure(call: Promise<unknown>): Promise<PlatformCallError> {
  const error = await call.then(
    (value) => expect.fail(`expected an error, got ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof PlatformCallError)) throw error;
  expect(JSON.stringify([error.message, error.details, error.stack, error.cause])).not.toMatch(secret);
  return error;
}
const secret = /channel-key|supplier-key|김운전|01077778888|19900101|99-88-777|서울시/;

export const booking: BookingRequest = {
  productId: 7,
  startAt: Date.UTC(2026, 10, 21),
  endAt: Date.UTC(2026, 10, 22),
  pickupAddress: '서울시 1',
  driver: {
    name: '김운전',
    birth: '19900101',
    phone: '01077778888',
    licenseNumber: '99-88-777',
    address: '서울시 2',
  },
};

export const photo: Photo = { bytes: new Uint8Array([0xff, 0xd8, 0xff, 0, 13, 10]), type: 'image/jpeg' };

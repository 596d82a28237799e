import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defaultProfile } from '../../src/platform/profiles/default/index.js';
import { contraryProfile } from '../profiles/contrary.js';
import { answering, httpPeer } from '../support/http-peer.js';
import { clientOf, photo } from '../support/platform-client.js';

const staff = { staffName: '이직원', staffPhone: '0101112222' };

/** All eight commands against one peer. */
function commands(client: ReturnType<typeof clientOf>) {
  return Promise.all([
    client.dispatchStaff(5, staff),
    client.dispatchStart(5),
    client.dispatchParkingImage(5, photo, {}),
    client.dispatchCarImage(5, photo),
    client.dispatchComplete(5, {}),
    client.recallStaff(5, staff),
    client.recallCarImage(5, photo),
    client.recallComplete(5),
  ]);
}
const eight = <T>(value: T): T[] => Array(8).fill(value);

describe('L30: a 2xx applies each of the eight commands', () => {
  it('G16: with the receipt where the body fits', async () => {
    const { url } = await httpPeer(answering(200, { reservationId: 5, reservationStatus: 10, more: true }));
    expect(await commands(clientOf(url))).toEqual(eight({ reservationId: 5, reservationStatus: 10 }));
  });

  it('with an empty body, of any 2xx', async () => {
    for (const status of [200, 201, 202, 204]) {
      const { url } = await httpPeer(answering(status));
      expect(await commands(clientOf(url))).toEqual(eight({}));
    }
  });

  it('marked unparsed where the body does not fit', async () => {
    for (const body of ['<html>', '{"reservationId":', { reservationId: 'five' }]) {
      const { url } = await httpPeer(answering(200, body));
      expect(await commands(clientOf(url))).toEqual(eight({ unparsed: true }));
    }
  });

  it('marked unparsed where the body breaks off, never ends or is too large', async () => {
    const { url: broken } = await httpPeer((response) => {
      response.writeHead(200, { 'content-length': 50 }).write('{"reservationId":5', () => response.destroy());
    });
    expect(await commands(clientOf(broken))).toEqual(eight({ unparsed: true }));

    const { url: endless } = await httpPeer((response) => response.writeHead(200).write('{'));
    expect(await clientOf(endless, { timeoutMs: 60 }).dispatchStart(5)).toEqual({ unparsed: true });

    const { url: large } = await httpPeer(answering(200, `"${'x'.repeat(5000)}"`));
    expect(await clientOf(large, { maxResponseBytes: 1000 }).dispatchStart(5)).toEqual({ unparsed: true });
  });

  it('G16: under a profile that expects no body, with any body', async () => {
    for (const body of ['', '<html>']) {
      const { url } = await httpPeer(answering(200, body));
      expect(await commands(clientOf(url, { profile: contraryProfile }))).toEqual(eight({}));
    }
  });

  it('after an informational answer that came first', async () => {
    const { url } = await httpPeer((response) => {
      response.writeProcessing();
      response.end('{"reservationId":5,"reservationStatus":10}');
    });
    expect(await clientOf(url).dispatchStart(5)).toEqual({ reservationId: 5, reservationStatus: 10 });
  });

  it("marked unparsed where a deployment's own profile fails on the body", async () => {
    const failing = z.codec(z.unknown(), z.custom<never>(), {
      decode: () => {
        throw new TypeError('a bug in the profile');
      },
      encode: (value) => value,
    });
    const { recallComplete } = defaultProfile.operations;
    const profile = {
      ...defaultProfile,
      operations: {
        ...defaultProfile.operations,
        recallComplete: { ...recallComplete, success: { status: 200, schema: failing } },
      },
    };
    const { url } = await httpPeer(answering(200, {}));
    expect(await clientOf(url, { profile }).recallComplete(5)).toEqual({ unparsed: true });
  });
});

import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type CallErrorCode,
  callCodes,
  PlatformCallError,
  type PlatformCode,
  platformCodes,
} from '../../src/platform/errors.js';
import { defaultProfile } from '../../src/platform/profiles/default/index.js';
import { contraryProfile } from '../profiles/contrary.js';
import { answering, deadAddress, httpPeer } from '../support/http-peer.js';
import { booking, clientOf, failure } from '../support/platform-client.js';

/** What `dispatchStart` ends with against a peer that answers so. */
async function codeFor(...answer: Parameters<typeof answering>): Promise<CallErrorCode> {
  const { url } = await httpPeer(answering(...answer));
  return (await failure(clientOf(url).dispatchStart(1))).code;
}

/** A TCP peer that handles each connection with the given function. */
async function tcpPeer(serve: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    serve(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}
const onceAsked = (then: (socket: Socket) => void) => (socket: Socket) =>
  socket.once('data', () => then(socket));

const ends: Record<CallErrorCode, 'rejected' | 'held-back' | 'unknown'> = {
  E011: 'rejected',
  E012: 'rejected',
  INVALID_REQUEST: 'rejected',
  UNAUTHORIZED: 'held-back',
  FORBIDDEN: 'held-back',
  NOT_FOUND: 'rejected',
  ILLEGAL_STATE: 'rejected',
  NO_AVAILABILITY: 'rejected',
  PAYLOAD_TOO_LARGE: 'rejected',
  RATE_LIMITED: 'held-back',
  INTERNAL: 'unknown',
  REFUSED: 'rejected',
  REDIRECTED: 'rejected',
  UNREACHABLE: 'held-back',
  BROKEN: 'unknown',
  TIMEOUT: 'unknown',
  UNREADABLE: 'unknown',
  INVALID_INPUT: 'rejected',
  ROLE_OFF: 'rejected',
  ABORTED: 'unknown',
};

it.each(callCodes)('L30: %s always has the same outcome', (code) => {
  const error = new PlatformCallError(code, 'why', { operation: 'dispatchStart', retryAfterMs: 2_000 });
  expect(error.outcome).toMatchObject({ outcome: ends[code], code });
});

describe('the platform refuses', () => {
  it.each(platformCodes)('G25: with %s, which keeps its code', async (code: PlatformCode) => {
    for (const profile of [defaultProfile, contraryProfile]) {
      const { status, body, headers } = profile.errors.encode({ code, message: 'names 김운전' });
      const { url } = await httpPeer(answering(status, body, headers));
      const error = await failure(clientOf(url, { profile }).dispatchStart(1));
      expect(error.code).toBe(code);
      const platformMessage = profile.errors.shown?.(status, body);
      expect(error.details).toEqual({
        operation: 'dispatchStart',
        httpStatus: status,
        ...(platformMessage !== undefined && { platformMessage }),
      });
      expect(error.outcome.outcome).toBe(ends[code]);
    }
  });

  it.each([
    [400, 'REFUSED'],
    [401, 'UNAUTHORIZED'],
    [403, 'FORBIDDEN'],
    [404, 'NOT_FOUND'],
    [408, 'TIMEOUT'],
    [409, 'REFUSED'],
    [413, 'PAYLOAD_TOO_LARGE'],
    [429, 'RATE_LIMITED'],
    [500, 'INTERNAL'],
    [503, 'INTERNAL'],
  ] as const)('HTTP %i with a body without a code is %s', async (status, code) => {
    expect(await codeFor(status, '<html>no</html>')).toBe(code);
    expect(await codeFor(status, '')).toBe(code);
    expect(await codeFor(status, { code: 'E777', message: '' })).toBe(code);
  });

  it('L30: a 5xx stays unknown whatever its body contains', async () => {
    expect(await codeFor(502, { code: 'ILLEGAL_STATE', message: '' })).toBe('INTERNAL');
  });

  it("where a deployment's own profile fails on the body, the HTTP status decides", async () => {
    const decode = () => {
      throw new TypeError('a bug in the profile');
    };
    const profile = { ...defaultProfile, errors: { ...defaultProfile.errors, decode } };
    const { url } = await httpPeer(answering(404, {}));
    expect((await failure(clientOf(url, { profile }).dispatchStart(1))).code).toBe('NOT_FOUND');
  });

  it('a redirect is REDIRECTED and not followed: the key must not leave the host', async () => {
    const elsewhere = await httpPeer(answering(200, {}));
    for (const status of [301, 302, 303, 307, 308])
      expect(await codeFor(status, '', { location: elsewhere.url })).toBe('REDIRECTED');
    expect(elsewhere.requests).toEqual([]);
  });

  it('L30: Retry-After is reported in milliseconds', async () => {
    const { url } = await httpPeer(
      answering(429, { code: 'RATE_LIMITED', message: '' }, { 'retry-after': '7' }),
    );
    expect((await failure(clientOf(url).dispatchStart(1))).details.retryAfterMs).toBe(7000);
  });
});

describe('the connection', () => {
  it('L30: a refused one is UNREACHABLE: not applied', async () => {
    const error = await failure(clientOf(await deadAddress()).dispatchStart(1));
    expect(error).toMatchObject({ code: 'UNREACHABLE', outcome: { outcome: 'held-back' } });
  });

  it('a name that does not resolve is UNREACHABLE', async () => {
    const { code } = await failure(clientOf('http://nowhere.invalid').dispatchStart(1));
    expect(code).toBe('UNREACHABLE');
  });

  it('one that fails its TLS handshake is UNREACHABLE', async () => {
    const url = await tcpPeer((socket) => socket.end('not TLS'));
    expect((await failure(clientOf(url.replace('http', 'https')).dispatchStart(1))).code).toBe('UNREACHABLE');
  });

  it('a request that still waits for a connection at its deadline is UNREACHABLE and is never sent', async () => {
    let release = () => {};
    const { url, requests } = await httpPeer((response) => {
      release = () => response.end('{}');
    });
    const client = clientOf(url, { connections: 1 });
    const first = client.dispatchStart(1);
    await expect.poll(() => requests.length).toBe(1);
    const second = await failure(client.dispatchStart(2, { deadlineMs: 50 }));
    expect(second.code).toBe('UNREACHABLE');
    release();
    await first;
    const third = client.dispatchStart(3);
    await expect.poll(() => requests.length).toBe(2);
    release();
    await third;
    expect(requests.map(({ url: path }) => path.match(/\d+\/dispatch/)?.[0])).toEqual([
      '1/dispatch',
      '3/dispatch',
    ]);
  });

  it('L30: one that breaks after the request left is BROKEN: unknown', async () => {
    for (const break_ of [(socket: Socket) => socket.resetAndDestroy(), (socket: Socket) => socket.end()]) {
      const error = await failure(clientOf(await tcpPeer(onceAsked(break_))).dispatchStart(1));
      expect(error).toMatchObject({ code: 'BROKEN', outcome: { outcome: 'unknown' } });
    }
  });

  it('an answer that is no HTTP is BROKEN', async () => {
    const url = await tcpPeer(onceAsked((socket) => socket.end('hello\r\n\r\n')));
    expect((await failure(clientOf(url).dispatchStart(1))).code).toBe('BROKEN');
  });

  it('a refusal whose body breaks off is BROKEN, because its code is not known', async () => {
    const url = await tcpPeer(
      onceAsked((socket) => socket.end('HTTP/1.1 409 Conflict\r\ncontent-length: 90\r\n\r\n{"code":"ILL')),
    );
    expect((await failure(clientOf(url).dispatchStart(1))).code).toBe('BROKEN');
  });

  it('L30: silence until the deadline is TIMEOUT: unknown', async () => {
    const { url, requests } = await httpPeer(() => {});
    const error = await failure(clientOf(url, { timeoutMs: 60 }).dispatchStart(1));
    expect(error).toMatchObject({ code: 'TIMEOUT', outcome: { outcome: 'unknown' } });
    expect(requests).toHaveLength(1);
  });

  it('a call may have a deadline of its own', async () => {
    const { url } = await httpPeer(() => {});
    expect((await failure(clientOf(url).dispatchStart(1, { deadlineMs: 250 }))).code).toBe('TIMEOUT');
  });

  it('a call ends at the instant given, and does not begin after it', async () => {
    const { url, requests } = await httpPeer(() => {});
    const client = clientOf(url);
    expect((await failure(client.dispatchStart(1, { until: Date.now() + 250 }))).code).toBe('TIMEOUT');
    expect(requests).toHaveLength(1);
    for (const late of [{ until: Date.now() - 1 }, { leaveBy: Date.now() - 1 }]) {
      expect((await failure(client.dispatchStart(1, late))).code).toBe('UNREACHABLE');
    }
    expect(requests).toHaveLength(1);
  });

  it('a request does not leave after its time, also where no timer ran meanwhile', async () => {
    const { url, requests } = await httpPeer(answering(200));
    const client = clientOf(url);
    // the connection opens while the process is blocked: the clock has moved on, and no timer fired
    const clock = vi.spyOn(Date, 'now');
    const began = Date.now();
    for (const _ of ['the deadline', 'its instant', 'the first check']) clock.mockReturnValueOnce(began);
    clock.mockReturnValue(began + 60_000);
    const call = failure(client.dispatchStart(1));
    expect((await call.finally(() => clock.mockRestore())).code).toBe('UNREACHABLE');
    expect(requests).toEqual([]);
  });

  it('the pages of a list share one deadline', async () => {
    let now = Date.now();
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now);
    onTestFinished(() => clock.mockRestore());
    const { url, requests } = await httpPeer((response) => {
      now += 1_000; // what each page takes
      const page = { items: [], next: `page-${requests.length}` };
      response.end(JSON.stringify(page));
    });
    const client = clientOf(url, { profile: contraryProfile });
    expect((await failure(client.listCars({}, { until: now + 2_500 }))).code).toBe('UNREACHABLE');
    expect(requests).toHaveLength(3);
  });

  it('a body that never ends is TIMEOUT for a booking', async () => {
    const { url } = await httpPeer((response) => response.writeHead(200).write('{'));
    expect((await failure(clientOf(url).book(booking, { deadlineMs: 250 }))).code).toBe('TIMEOUT');
  });

  it('a caller that aborts gets ABORTED, before and during the call', async () => {
    const { url, requests } = await httpPeer(() => {});
    const client = clientOf(url);
    expect((await failure(client.dispatchStart(1, { signal: AbortSignal.abort() }))).code).toBe('ABORTED');
    expect(requests).toEqual([]);

    const giveUp = new AbortController();
    const call = failure(client.dispatchStart(1, { signal: giveUp.signal }));
    await expect.poll(() => requests.length).toBe(1);
    giveUp.abort();
    expect((await call).code).toBe('ABORTED');
  });

  it('a closed client sends nothing more', async () => {
    const { url, requests } = await httpPeer(answering(200));
    const client = clientOf(url);
    await client.close();
    expect((await failure(client.dispatchStart(1))).code).toBe('UNREACHABLE');
    expect(requests).toEqual([]);
  });
});

describe('a 2xx', () => {
  it.each([
    ['no JSON', 'fine!'],
    ['empty', ''],
    ['of another shape', { hello: 1 }],
    ['with an id beyond 2^53-1', '{"reservationId":9007199254740993,"status":"CONFIRMED"}'],
  ])('whose body is %s is UNREADABLE for a booking and a read: unknown', async (_what, body) => {
    const { url } = await httpPeer(answering(200, body));
    const client = clientOf(url);
    for (const call of [client.book(booking), client.getCar(1), client.listProducts()])
      expect(await failure(call)).toMatchObject({
        code: 'UNREADABLE',
        outcome: { outcome: 'unknown' },
      });
  });

  it('whose body is no UTF-8 is UNREADABLE', async () => {
    const { url } = await httpPeer((response) => response.end(Buffer.from([0x22, 0xff, 0x22])));
    expect((await failure(clientOf(url).getCar(1))).code).toBe('UNREADABLE');
  });

  it('that is larger than the limit is UNREADABLE and not read to its end', async () => {
    const { url } = await httpPeer((response) => {
      const more = () => {
        while (!response.destroyed)
          if (!response.write('x'.repeat(1024))) return response.once('drain', more);
        return response;
      };
      more();
    });
    expect((await failure(clientOf(url, { maxResponseBytes: 10_000 }).listCars())).code).toBe('UNREADABLE');
  });

  it('that breaks off is BROKEN for a booking', async () => {
    const url = await tcpPeer(
      onceAsked((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\n{"reserv')),
    );
    expect((await failure(clientOf(url).book(booking))).code).toBe('BROKEN');
  });
});

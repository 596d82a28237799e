import type { Connection } from '@temporalio/client';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { embeddedTarget, lazyConnection } from '../../src/temporal/connection/connection.js';
import { ConnectionMonitor } from '../../src/temporal/connection/connection-monitor.js';
import { engineCode } from '../../src/temporal/connection/unavailable.js';
import { registerSearchAttributes } from '../../src/temporal/search-attributes.js';

const grpcError = (code: number, details = 'why') =>
  Object.assign(new Error(`${code}: ${details}`), { code, details, metadata: {} });
const [deadlineExceeded, notFound, permissionDenied, unimplemented, unavailable] = [4, 5, 7, 12, 14].map(
  (code) => grpcError(code),
);

/** Temporal as the next probes meet it. */
class FakeTemporal {
  failure: Error | undefined;
  namespaceId = 'first';
  prepared = 0;
  prepareFailure: Error | undefined;
  readonly logged: { level: number; msg: string }[] = [];
  readonly unreachable: string[] = [];
  readonly monitor = new ConnectionMonitor({
    target: 'temporal:7233',
    log: pino({ level: 'info' }, { write: (line: string) => void this.logged.push(JSON.parse(line)) }),
    onUnreachable: (reason) => void this.unreachable.push(reason),
    probeWithinMs: 3_000,
    probe: async () => {
      if (this.failure !== undefined) throw this.failure;
      return this.namespaceId;
    },
    prepare: async () => {
      if (this.prepareFailure !== undefined) throw this.prepareFailure;
      this.prepared += 1;
    },
  });
  levels(): number[] {
    return this.logged.map(({ level }) => level);
  }
}

describe('the monitor', () => {
  let temporal: FakeTemporal;
  beforeEach(() => {
    vi.useFakeTimers();
    temporal = new FakeTemporal();
  });
  afterEach(async () => {
    const stopped = temporal.monitor.stop();
    await vi.runAllTimersAsync();
    await stopped;
    vi.useRealTimers();
  });
  const started = async (failure?: Error) => {
    temporal.failure = failure;
    temporal.monitor.start();
    await vi.advanceTimersByTimeAsync(0);
  };

  it.each([
    ['refuses', unavailable],
    ['is silent', deadlineExceeded],
    ['has no such namespace', notFound],
    ['refuses the key', permissionDenied],
  ])('a start where Temporal %s reports it down once, and connects when it comes', async (_, failure) => {
    await started(failure);
    const connected = temporal.monitor.connected();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(temporal.monitor).toMatchObject({ isDown: true, isConnected: false });
    const reason = failure === deadlineExceeded ? 'no answer within 3 s' : 'why';
    expect([temporal.unreachable, temporal.levels()]).toEqual([[reason], [40]]);
    temporal.failure = undefined;
    await vi.advanceTimersByTimeAsync(3_000);
    await connected;
    expect(temporal.monitor).toMatchObject({ isDown: false, isConnected: true });
    expect(temporal.prepared).toBe(1);
    expect(temporal.levels()).toEqual([40, 30]);
  });

  it.each([
    [
      'connection refused',
      'No connection established. Last error: connect ECONNREFUSED 127.0.0.1:7233. Resolution note: ',
    ],
    [
      'unable to verify the first certificate',
      'No connection established. Last error: unable to verify the first certificate. Resolution note: ',
    ],
    ['Name resolution failed for target dns:nowhere', 'Name resolution failed for target dns:nowhere'],
  ])('the reported reason is "%s", without gRPC details', async (reason, details) => {
    await started(grpcError(14, details));
    expect(temporal.unreachable).toEqual([reason]);
  });

  it('one failed probe is no outage; two are, and calls are refused until it answers again', async () => {
    await started();
    temporal.failure = unavailable;
    await vi.advanceTimersByTimeAsync(5_000);
    temporal.failure = undefined;
    await vi.advanceTimersByTimeAsync(5_000);
    expect([temporal.monitor.isDown, temporal.unreachable]).toEqual([false, []]);
    temporal.failure = unavailable;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(temporal.monitor).toMatchObject({ isDown: true, isConnected: false });
    expect(temporal.unreachable).toEqual(['why']);
    temporal.failure = undefined;
    await vi.advanceTimersByTimeAsync(3_000);
    expect(temporal.monitor).toMatchObject({ isDown: false, isConnected: true });
    expect(temporal.prepared).toBe(2);
  });

  it('a service that falls silent is lost and not down: each call has its own deadline', async () => {
    await started();
    temporal.failure = deadlineExceeded;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(temporal.monitor).toMatchObject({ isDown: false, isConnected: false });
    temporal.failure = unavailable;
    await vi.advanceTimersByTimeAsync(3_000);
    expect(temporal.monitor.isDown).toBe(true);
  });

  it('a service that lost its state is prepared again, although no probe failed', async () => {
    const connections: number[] = [];
    temporal.monitor.onConnected(() => connections.push(temporal.prepared));
    await started();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(connections).toEqual([1]);
    temporal.namespaceId = 'second';
    await vi.advanceTimersByTimeAsync(5_000);
    expect(connections).toEqual([1, 2]);
    expect(temporal.levels()).toEqual([30, 50, 30]);
  });

  it('a failed preparation is retried, and the service does not count as connected before', async () => {
    temporal.prepareFailure = new Error('search attribute HandoverStart exists as TEXT');
    await started();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(temporal.monitor.isConnected).toBe(false);
    expect(temporal.unreachable).toEqual(['search attribute HandoverStart exists as TEXT']);
    temporal.prepareFailure = undefined;
    await vi.advanceTimersByTimeAsync(3_000);
    expect(temporal.monitor.isConnected).toBe(true);
  });

  it('all callers share one wait, and a connected service needs none', async () => {
    await started(unavailable);
    const connected = temporal.monitor.connected();
    expect(temporal.monitor.connected()).toBe(connected);
    temporal.failure = undefined;
    await vi.advanceTimersByTimeAsync(3_000);
    await connected;
    await temporal.monitor.connected();
    temporal.failure = unavailable;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(temporal.monitor.connected()).not.toBe(connected);
  });

  it('a caller that waits for the connection is notified of a stop', async () => {
    await started(unavailable);
    const connected = temporal.monitor.connected();
    const failed = expect(connected).rejects.toThrow('stopped before Temporal was connected');
    await temporal.monitor.stop();
    await failed;
  });
});

it('a call on a connection that is down fails at once, as gRPC does for an unreachable host', async () => {
  let isDown = true;
  const connection = lazyConnection(embeddedTarget('127.0.0.1:1'), () => isDown);
  try {
    const call = () => connection.withDeadline(Date.now() + 60_000, async () => 'sent');
    expect(await call().catch(engineCode)).toBe('NOT_CONNECTED');
    isDown = false;
    expect(await call()).toBe('sent');
  } finally {
    await connection.close();
  }
});

it('a frontend that does not know a search attribute yet refuses no argument of ours: its refusal has a code of its own', () => {
  const refusal = (details: string) =>
    engineCode(Object.assign(new Error(details), { code: 3, details, metadata: {} }));
  expect(refusal('Namespace default has no mapping defined for search attribute HandoverStatus')).toBe(
    'SEARCH_ATTRIBUTE_UNKNOWN',
  );
  expect(refusal('search attribute HandoverStatus is not defined')).toBe('SEARCH_ATTRIBUTE_UNKNOWN');
  expect(refusal('invalid value for search attribute HandoverStatus')).toBe('INVALID_ARGUMENT');
});

describe('search attributes', () => {
  /** A server on which each call ends so; undefined: it is done. */
  const serverThat = ({ list, add, count }: Record<'list' | 'add' | 'count', Error | undefined>) => {
    const end = (error: Error | undefined, answer: object) =>
      error === undefined ? Promise.resolve(answer) : Promise.reject(error);
    return {
      operatorService: {
        listSearchAttributes: () => end(list, { customAttributes: {} }),
        addSearchAttributes: () => end(add, {}),
      },
      workflowService: { countWorkflowExecutions: () => end(count, { count: 0 }) },
    } as unknown as Connection;
  };
  const [fine, invalid] = [undefined, grpcError(3)];

  it.each([
    [
      'lists them not, and has them',
      { list: permissionDenied, add: permissionDenied, count: fine },
      /all of them are in place/,
    ],
    [
      'lists them not, and lacks them',
      { list: permissionDenied, add: permissionDenied, count: invalid },
      /register these there: .*HandoverStart=/,
    ],
    [
      'lists them not, and registers them',
      { list: permissionDenied, add: fine, count: fine },
      /PERMISSION_DENIED.*in place/,
    ],
    [
      'does not let us register them',
      { list: fine, add: permissionDenied, count: invalid },
      /register these there/,
    ],
    [
      'knows neither call',
      { list: unimplemented, add: unimplemented, count: fine },
      /UNIMPLEMENTED.*in place/,
    ],
  ])('a server that %s: a warning, and the start continues', async (_, ends, warning) => {
    expect(await registerSearchAttributes(serverThat(ends), 'default')).toMatch(warning);
  });

  it.each([
    ['registers them', { list: fine, add: fine, count: fine }],
    ['cannot list, as a test server', { list: unimplemented, add: fine, count: unimplemented }],
  ])('a server that %s: no warning', async (_, ends) => {
    expect(await registerSearchAttributes(serverThat(ends), 'default')).toBeUndefined();
  });

  it('a server that is unavailable: an error, because a retry helps', async () => {
    const away = serverThat({ list: unavailable, add: fine, count: fine });
    await expect(registerSearchAttributes(away, 'default')).rejects.toBe(unavailable);
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { type CollectedSpan, type Collector, startCollector } from '../support/otlp-collector.js';
import { Deployment, type Ready, readJson } from '../support/process.js';

/** All that is known of the people of this test; none of it may be in a span. */
const personal = {
  pickupAddress: '17 Tracewood Lane, Seoul',
  pickupMemo: 'by the blue gate of the Quillfeather house',
  staffName: 'Ottoline Quillfeather',
  staffPhone: '01086429753',
  driver: 'Zebulon Tracewright',
  driverPhone: '01075318642',
  reason: 'Quillfeather complained of squealing',
};
/** Of the user's own trace: its id, and the span that sends the request. */
const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const sender = '00f067aa0ba902b7';

let deployment: Deployment;
let collector: Collector;
let at: Ready;
let reservationId: number;

beforeAll(async () => {
  collector = await startCollector();
  deployment = await Deployment.createWithDatabases();
  const run = deployment.run(['up', '--no-demo'], {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=of-this-test',
    OTEL_BSP_SCHEDULE_DELAY: '100',
    OTEL_SERVICE_NAME: 'rental',
  });
  at = await run.ready();
  const inAnHour = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const { pickupAddress, pickupMemo, driver, driverPhone } = personal;
  const booked = await send('POST', '/api/reservations', {
    productId: 301,
    startAt: inAnHour(24),
    endAt: inAnHour(48),
    pickupAddress,
    pickupMemo,
    driver: {
      name: driver,
      birth: '19900131',
      phone: driverPhone,
      licenseNumber: '11-22-334455-66',
      address: 'Quillfeather Road 4',
    },
  });
  reservationId = (booked as { reservationId: number }).reservationId;
  const { staffName, staffPhone } = personal;
  const headers = { traceparent: `00-${trace}-${sender}-01` };
  await send('PUT', `/api/reservations/${reservationId}/dispatch/staff`, { staffName, staffPhone }, headers);
  for (const action of ['start', 'complete'])
    await send('PUT', `/api/reservations/${reservationId}/dispatch/${action}`, skipsSteps);
  const extended = await fetch(`${at.sandbox}/sandbox/reservations/${reservationId}/period`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ endAt: inAnHour(72) }),
  });
  expect(extended.status).toBe(200);
  await collector.span('platform listSchedules');
  await collector.span('verdict');
  await holdAndRelease(inAnHour(240), inAnHour(264));
  const { reason } = personal;
  await send('PUT', '/api/products/301/cars/1004/sale-status', { saleYn: 'N', reason });
  await eventually('the parent of every span has ended', () =>
    collector.spans.every(({ parentSpanId }) => isKnown(parentSpanId)),
  );
}, 240_000);
afterAll(async () => {
  await deployment?.remove();
  await collector?.close();
});

/** A hold that is placed, with its memo, and then released. */
async function holdAndRelease(startAt: string, endAt: string): Promise<void> {
  const made = await send('POST', '/api/holds', { carId: 1003, startAt, endAt, reason: personal.reason });
  const { holdId } = made as { holdId: string };
  await collector.span('platform addCarMemo');
  await send('DELETE', `/api/holds/${holdId}`, {});
}

const skipsSteps = { override: true, reason: 'this test takes no photos' };

async function send(method: string, path: string, body: unknown, headers = {}): Promise<unknown> {
  const response = await fetch(at.api + path, {
    method,
    headers: {
      authorization: `Bearer ${at.tokens.manager}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      ...headers,
    },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

const isKnown = (spanId: string) =>
  spanId === '' || spanId === sender || collector.spans.some((span) => span.spanId === spanId);

/** From the first span of its trace down to this one, by name. */
const wayTo = (span: CollectedSpan): string[] => collector.wayTo(span).map(({ name }) => name);

describe('one trace', () => {
  it("leads from a user's request to the request to the platform, and continues the user's own", async () => {
    const last = await eventually('the request to the platform', () =>
      collector.spans.find(({ name, traceId }) => name === 'platform dispatchStaff' && traceId === trace),
    );
    expect(wayTo(last)).toEqual([
      'PUT /api/reservations/:id/dispatch/staff',
      'update dispatch.staff',
      'workflow update dispatch.staff',
      'activity dispatchStaff',
      'platform dispatchStaff',
    ]);
    const first = collector.spans.find(({ parentSpanId }) => parentSpanId === sender);
    expect(first?.name).toBe('PUT /api/reservations/:id/dispatch/staff');
    expect(first?.attributes).toMatchObject({ 'http.response.status_code': 200 });
  });

  it('leads from a booking to the platform', async () => {
    const last = await collector.span('platform book');
    expect(wayTo(last)).toEqual([
      'POST /api/reservations',
      'start booking',
      'workflow booking',
      'activity book',
      'platform book',
    ]);
  });

  it('leads from a hold to each of its steps, also in later tasks, and from its release to the end', async () => {
    for (const name of ['addSchedule', 'addCarMemo']) {
      const last = await collector.span(`platform ${name}`);
      expect(wayTo(last)).toEqual(['POST /api/holds', 'start hold', `activity ${name}`, `platform ${name}`]);
    }
    const release = ['DELETE /api/holds/:id', 'update releaseHold', 'workflow update releaseHold'];
    const last = await collector.span('platform deleteSchedule');
    expect(wayTo(last)).toEqual([...release, 'activity deleteSchedule', 'platform deleteSchedule']);
    const written = () => collector.spans.filter(({ name }) => name === 'activity recordHold').map(wayTo);
    const lastRow = [...release, 'activity recordHold'];
    await eventually('its last row is in the trace of the release', () =>
      written().some((way) => way.join() === lastRow.join()),
    );
    expect(written()).toContainEqual(['POST /api/holds', 'start hold', 'activity recordHold']);
  });

  it('leads from a write on a car to the platform', async () => {
    const last = await collector.span('platform setSaleStatus');
    expect(wayTo(last)).toEqual([
      'PUT /api/products/:id/cars/:carId/sale-status',
      'start carWrite',
      'workflow carWrite',
      'activity setSaleStatus',
      'platform setSaleStatus',
    ]);
  });

  it('leads from each callback through inbox, relay, signal and workflow to its verdict', async () => {
    const received = collector.spans.filter(({ name }) => name.startsWith('POST /events/'));
    expect(received.length).toBeGreaterThan(3);
    for (const { name, traceId } of received) {
      const last = await eventually(`a verdict in ${traceId}`, () =>
        collector.spans.find((span) => span.name === 'verdict' && span.traceId === traceId),
      );
      const way = wayTo(last);
      expect(way.slice(0, 3)).toEqual([name, 'inbox', 'relay']);
      expect(way.slice(-2)).toEqual(['workflow signal events', 'verdict']);
    }
    const own = collector.spans.filter(
      ({ attributes }) => attributes['handover.reservation.id'] === reservationId,
    );
    const verdicts = own.filter(({ name }) => name === 'verdict');
    expect(verdicts.map(({ attributes }) => attributes['handover.verdict'])).toContain('applied');
    // a write with several verdicts is in the trace of one of them
    const written = collector.spans.filter(
      (span) => span.name === 'record rows' && wayTo(span)[0]?.startsWith('POST /events/'),
    );
    const traces = written.map(({ traceId }) => traceId);
    expect(traces.length).toBeGreaterThan(0);
    expect(verdicts.map(({ traceId }) => traceId)).toEqual(expect.arrayContaining(traces));
  });

  it('leads on to the request to the platform that follows from a callback', async () => {
    // the end of a period is moved later: the schedule is read for what comes next
    const last = await collector.span('platform listSchedules');
    const [callback, ...way] = wayTo(last);
    // both channels report a change of status; the first one that arrives leads on
    expect(callback).toMatch(/^POST \/events\//);
    expect(way).toEqual([
      'inbox',
      'relay',
      'signal events',
      'workflow signal events',
      'activity lookAhead',
      'platform listSchedules',
    ]);
  });

  it('has no span that ends before it begins, and none without a parent but the first', () => {
    for (const { from, to, name } of collector.spans) expect(to, name).toBeGreaterThanOrEqual(from);
    const roots = collector.spans.filter(({ parentSpanId }) => parentSpanId === '');
    expect(roots.filter(({ name }) => !/^(?:GET|POST|PUT|DELETE) \/(?:api|events)\//.test(name))).toEqual([]);
  });
});

describe('what is exported', () => {
  it('holds nothing personal, no token and no secret; the reservation itself has all of it', async () => {
    const shown = JSON.stringify(
      await readJson(`${at.api}/api/reservations/${reservationId}`, at.tokens.manager),
    );
    const stored = [personal.staffName, personal.staffPhone, personal.pickupAddress, personal.pickupMemo];
    for (const text of stored) expect(shown).toContain(text);
    expect(collector.text.length).toBeGreaterThan(5_000);
    const words = [
      ...Object.values(personal),
      ...Object.values(personal).flatMap((text) => text.split(/[ -]/)),
    ];
    const secrets = [...Object.values(at.tokens), ...Object.values(deployment.platformKeys())];
    for (const text of [...words.filter((word) => word.length > 4), ...secrets, '334455'])
      expect(collector.text).not.toContain(text);
  });

  it('has the names of the operator, and goes to the address and with the headers that are set', () => {
    expect(collector.paths).toEqual(['/v1/traces']);
    expect(collector.text).toContain('"service.name"');
    expect(collector.text).toContain('"rental"');
    expect(collector.headers['x-collector-key']).toBe('of-this-test');
  });
});

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { callbackSecret, pathOf, statusBody } from '../support/callbacks.js';
import type { Delivery } from '../support/crash/deliveries.js';
import { endless } from '../support/crash/endless.js';
import { Sender } from '../support/crash/sender.js';
import { Stream } from '../support/crash/stream.js';
import { eventually } from '../support/eventually.js';

const status = (reservationId: number, code: number): Delivery => ({
  webhookId: `msg_${reservationId}_${code}`,
  kind: 'status',
  path: pathOf('status'),
  reservationId,
  body: statusBody(reservationId, code),
});

it('callbacks are sent by the clock while none is answered, those of one reservation one after the other, until the stream is stopped', async () => {
  const waiting: { id: string; response: ServerResponse }[] = [];
  const server = createServer(({ headers }, response) => {
    waiting.push({ id: String(headers['webhook-id']), response });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sender = new Sender({ address, secret: callbackSecret });
  onTestFinished(() => {
    sender.stop();
    server.closeAllConnections();
    server.close();
  });
  function* deliveries(): Generator<Delivery, never> {
    yield status(1, 5);
    yield status(1, 10);
    for (let id = 2; ; id++) yield status(id, 5);
  }

  const stream = new Stream(sender, deliveries(), 200);
  await eventually('more are sent, and none is answered', () => waiting.length >= 20);
  await stream.stop();
  const sent = stream.sent.length;
  expect(stream.acknowledged).toBe(0);
  await eventually('all that may be sent are', () => waiting.length === sent - 1);
  expect(waiting.map(({ id }) => id)).not.toContain('msg_1_10');

  for (const { response } of waiting.splice(0)) response.writeHead(204).end();
  const [last] = await eventually(
    'the next of that reservation is sent',
    () => waiting.length > 0 && waiting,
  );
  expect(last?.id).toBe('msg_1_10');
  last?.response.writeHead(204).end();
  await sender.done();
  expect([stream.sent.length, stream.acknowledged, sender.failures]).toEqual([sent, sent, []]);
});

it('the traffic repeats some reservations without an end: each round has others, with events of their own', () => {
  const codes = [5, 10, 15];
  const ids = Array.from({ length: 50 }, (_, index) => index + 1);
  const given = ids.flatMap((id) => codes.map((code) => status(id, code)));
  const begin = (seed: number) => {
    const taken: Delivery[] = [];
    for (const delivery of endless(given, seed)) {
      taken.push(delivery);
      if (taken.length === 1_000) return taken;
    }
    return taken;
  };
  const taken = begin(1);

  expect(new Set(taken.map(({ reservationId }) => reservationId)).size).toBeGreaterThan(2 * ids.length);
  for (const { webhookId, reservationId, body } of taken) {
    expect(JSON.parse(body).reservationId).toBe(reservationId);
    const same = taken.filter((other) => other.webhookId === webhookId);
    expect(new Set(same.map((other) => other.body))).toEqual(new Set([body]));
  }
  expect(begin(1)).toEqual(taken);
  expect(begin(2)).not.toEqual(taken);
});

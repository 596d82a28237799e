import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { callbackSecret, statusBody } from '../support/callbacks.js';
import { Sender } from '../support/crash/sender.js';
import { eventually } from '../support/eventually.js';

it('the sender reports as outage the longest time in which callbacks were sent and none was accepted, whether they failed or hung', async () => {
  const waiting: ServerResponse[] = [];
  const server = createServer((_, response) => void waiting.push(response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  let now = 0;
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sender = new Sender({ address, secret: callbackSecret }, () => now);
  onTestFinished(() => sender.stop());
  const send = (reservationId: number) => {
    const webhookId = `msg_${reservationId}`;
    const body = statusBody(reservationId, 10);
    sender.sendAtOnce({ webhookId, kind: 'status', path: '/', reservationId, body });
  };
  /** The next request is answered at this time. */
  const answer = async (status: number, at: number) => {
    const response = await eventually('a request waits', () => waiting.shift());
    now = at;
    const { count, failed } = sender;
    response.writeHead(status).end();
    await eventually('the sender has it', () => sender.count + sender.failed > count + failed);
  };

  send(1);
  await answer(204, 700);
  expect(sender.longestOutageMs, 'it hung').toBe(700);

  now = 10_000;
  send(2);
  await answer(503, 11_000);
  await answer(204, 14_000);
  expect(sender.longestOutageMs, 'it failed, and came back').toBe(4_000);

  now = 100_000;
  send(3);
  send(4);
  await answer(204, 103_000);
  await answer(204, 106_000);
  expect(sender.longestOutageMs, 'another was accepted in between, and nothing was sent before').toBe(4_000);
});

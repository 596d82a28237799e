import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { relayLimits } from '../../src/inbox/relay/limits.js';
import { Rate } from '../../src/inbox/relay/rate.js';
import { host } from '../target.js';
import type { FloorEvent } from './workflows.js';

export const floorQueue = 'floor';

/** As long as the product's relay waits at most: one signal has both channels of a change, and under load several changes. */
const { coalesceMs, busyCoalesceMs, busyPerSecond } = relayLimits;

/**
 * The paths of the status API and of the receiver, each with one Temporal call. A callback is acknowledged at once and
 * stored in memory only, which no real product could do.
 * @returns the address
 */
export async function startEdge(client: Client): Promise<string> {
  const waiting = new Map<number, FloorEvent[]>();
  const rate = new Rate(busyPerSecond);

  function note(id: number, event: FloorEvent): void {
    const events = waiting.get(id);
    if (events !== undefined) events.push(event);
    else {
      waiting.set(id, [event]);
      void signalAll(id);
    }
  }

  /** One signal at a time per reservation. Events that arrive during a signal are sent with the next one. */
  async function signalAll(id: number): Promise<void> {
    await sleep(rate.isHigh ? busyCoalesceMs : coalesceMs);
    for (let events = waiting.get(id); events !== undefined && events.length > 0; events = waiting.get(id)) {
      waiting.set(id, []);
      rate.record(events.length);
      await client.workflow.signalWithStart('reservation', {
        workflowId: `reservation-${id}`,
        taskQueue: floorQueue,
        args: [id],
        signal: 'events',
        signalArgs: [events],
      });
    }
    waiting.delete(id);
  }

  async function answer(request: IncomingMessage, path: string, id: string): Promise<[number, unknown]> {
    const body = await bodyOf(request);
    if (path.startsWith('/events/')) {
      const event = JSON.parse(body) as FloorEvent & { reservationId: number };
      note(event.reservationId, event);
      return [204, undefined];
    }
    if (path === '/api/reservations') {
      const workflowId = `booking-${id}`;
      const options = { workflowId, taskQueue: floorQueue, args: [JSON.parse(body)] };
      return [201, await client.workflow.execute('booking', options)];
    }
    const [, reservationId, action] = /^\/api\/reservations\/(\d+)(?:\/(.+))?$/.exec(path) ?? [];
    const handle = client.workflow.getHandle(`reservation-${reservationId}`);
    if (action === undefined) {
      const code = await handle.query<number>('view');
      return [200, { status: { code, grade: 'observed' } }];
    }
    // the history must not contain a photo's bytes
    const input = request.headers['content-type'] === 'application/json' ? JSON.parse(body) : {};
    return [200, await handle.executeUpdate(action, { updateId: id, args: [input] })];
  }

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    answer(request, request.url ?? '', String(request.headers['idempotency-key']))
      .catch((error: unknown): [number, unknown] =>
        error instanceof WorkflowNotFoundError ? [404, {}] : [500, { code: String(error) }],
      )
      .then(([status, body]) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(body === undefined ? undefined : JSON.stringify(body));
      });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

import { randomUUID } from 'node:crypto';
import { Client } from '@temporalio/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { carWriteWorkflow, carWriteWorkflowId } from '../../src/contract/car-write.js';
import { holdWorkflow, holdWorkflowId } from '../../src/contract/hold.js';
import {
  bookingWorkflow,
  bookingWorkflowId,
  reservationWorkflow,
  reservationWorkflowId,
  taskQueue,
} from '../../src/contract/names.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { createEndedReservations } from '../../src/store/reservations/ended.js';
import { noteEnded } from '../../src/temporal/client/reservations/note-ended.js';
import { notifyReservation } from '../../src/temporal/client/reservations/notify.js';
import { aReservation, pathOf, reservationBody, signedHeaders } from '../support/callbacks.js';
import { embeddedLane } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type HandoverParts, startHandoverParts } from '../support/handover-parts.js';

/** Over real HTTP, with the product's own worker; a client of Temporal that has no key starts a workflow first. */
const lane = embeddedLane();
let database: HandoverDatabase;
let parts: HandoverParts;
beforeAll(async () => {
  database = await lane.open();
  parts = await startHandoverParts(database, { worker: true });
}, 60_000);
afterAll(async () => {
  await parts?.stop();
  await database?.close();
}, 60_000);

/** A start that is not encrypted, refused by the worker. */
const refuseStart = async (type: string, workflowId: string) => {
  const { client, connection, namespace } = parts.engine;
  const { workflow } = new Client({ connection, namespace });
  await workflow.start(type, { workflowId, taskQueue, args: [{ forged: true }] });
  const result = client.workflow.getHandle(workflowId).result();
  await expect(result).rejects.toMatchObject({ cause: { type: 'NOT_ENCRYPTED' } });
};
const statusOf = async (workflowId: string) =>
  (await parts.engine.client.workflow.getHandle(workflowId).describe()).status.name;

it('of a reservation: its callbacks start it all the same, and no earlier ended run is reported', async () => {
  const id = 77_001;
  await refuseStart(reservationWorkflow, reservationWorkflowId(id));
  expect(await parts.ask('GET', `/api/reservations/${id}`)).toMatchObject({
    status: 404,
    body: { code: 'RESERVATION_NOT_FOUND' },
  });
  expect(await parts.sendAction(id, 'dispatch.staff')).toMatchObject({ status: 404 });
  const ended = createEndedReservations(database.db);
  await noteEnded(parts.engine.client, ended);
  expect(await ended.has(id)).toBe(false);

  const body = reservationBody('registration', aReservation(id));
  const sent = { method: 'POST', headers: signedHeaders(body), body };
  expect((await fetch(parts.api + pathOf('registration'), sent)).status).toBeLessThan(300);
  const view = await eventually('it is known', () => parts.view(id));
  expect(view).toMatchObject({ reservationId: id, status: { code: 5 } });
  expect(await statusOf(reservationWorkflowId(id))).toBe('RUNNING');
  expect(await ended.has(id)).toBe(false);
});

it('of a reservation that is booked: it is notified of its booking', async () => {
  const id = 77_002;
  await refuseStart(reservationWorkflow, reservationWorkflowId(id));
  const { policy } = parts.setting;
  const notified: string[] = [];
  const deps = {
    client: parts.engine.client,
    queue: taskQueue,
    policy,
    isClosed: async () => false,
    notified: async (commandId: string) => void notified.push(commandId),
  };
  const booking = { commandId: 'a-booking', by: 'kim', at: Date.now() } as never;
  await notifyReservation(deps, { reservationId: id, booking });
  expect(notified).toEqual(['a-booking']);
  expect(await statusOf(reservationWorkflowId(id))).toBe('RUNNING');
});

it('of a booking: it is made once', async () => {
  const key = randomUUID();
  await refuseStart(bookingWorkflow, bookingWorkflowId(key));
  const json = parts.platform.bookingBody();
  const booked = await parts.ask('POST', '/api/reservations', { key, json });
  expect(booked).toMatchObject({ status: 201, body: { settledBy: 'answer' } });
  expect(await parts.ask('POST', '/api/reservations', { key, json })).toMatchObject({
    status: 201,
    body: { reservationId: booked.body.reservationId },
  });
});

it('of a hold: it is made', async () => {
  const key = randomUUID();
  await refuseStart(holdWorkflow, holdWorkflowId(key));
  expect(await parts.ask('GET', `/api/holds/${key}`)).toMatchObject({ status: 404 });
  const startAt = new Date(Date.now() + 60_000).toISOString();
  const endAt = new Date(Date.now() + 86_400_000).toISOString();
  const json = { carId: 1003, startAt, endAt, reason: 'maintenance' };
  expect(await parts.ask('POST', '/api/holds', { key, json })).toMatchObject({
    status: 201,
    body: { holdId: key },
  });
});

it('of a write on a car: it is written', async () => {
  const key = randomUUID();
  await refuseStart(carWriteWorkflow, carWriteWorkflowId(key));
  const json = { content: 'a dent' };
  expect(await parts.ask('POST', '/api/cars/1001/memos', { key, json })).toMatchObject({ status: 201 });
});

import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { aReservation, callbackSecret, reservationBody, signedHeaders, wire } from './callbacks.js';

export const token = 'manager-token-of-this-test';
export const env = {
  CALLBACK_SECRETS: callbackSecret,
  HANDOVER_TOKENS: `manager:${token}`,
  LOG_LEVEL: 'warn',
};

/** A registration comes to the receiver. @returns the answer's status */
export async function callback(api: string, reservationId: number): Promise<number> {
  const body = reservationBody('registration', aReservation(reservationId));
  const sent = { method: 'POST', headers: signedHeaders(body), body };
  return (await fetch(api + wire.paths.registration, sent)).status;
}

/** False also where nothing listens yet. */
export const isAccepted = (api: string, reservationId: number): Promise<boolean> =>
  callback(api, reservationId).then(
    (status) => status === 204,
    () => false,
  );

export async function ask(
  api: string,
  path: string,
  method = 'GET',
): Promise<{ status: number; code?: string }> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(method === 'PUT' && { 'idempotency-key': randomUUID(), 'content-type': 'application/json' }),
  };
  const response = await fetch(api + path, { method, headers, ...(method === 'PUT' && { body: '{}' }) });
  const { code } = (await response.json()) as { code?: string };
  return { status: response.status, ...(code !== undefined && { code }) };
}

export const unavailable = { status: 503, code: 'ENGINE_UNAVAILABLE' };

/** Callbacks and lists need no Temporal; the others say what is missing. */
export async function servesWithoutTemporal(api: string, id: number): Promise<void> {
  expect(await callback(api, id)).toBe(204);
  expect(await ask(api, '/readyz/intake')).toEqual({ status: 200 });
  expect(await ask(api, '/readyz')).toEqual({ status: 503, code: 'NOT_READY' });
  expect(await ask(api, '/api/reservations?closed=true')).toEqual({ status: 200 });
  expect(await ask(api, '/api/reservations')).toEqual({ status: 200 });
  expect(await ask(api, `/api/reservations/${id}`)).toEqual(unavailable);
  expect(await ask(api, `/api/reservations/${id}/dispatch/start`, 'PUT')).toEqual(unavailable);
}

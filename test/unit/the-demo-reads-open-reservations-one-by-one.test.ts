import { setImmediate as turn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { DemoHttp } from '../../src/tools/demo/http.js';
import { answering, httpPeer } from '../support/http-peer.js';

it('many open reservations print no warning about listeners of the signal that ends the demo', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  const ids = Array.from({ length: 30 }, (_, index) => index + 1);
  const items = ids.map((reservationId) => ({ reservationId, reservationStatus: 5 }));
  const { url } = await httpPeer((response, request) => {
    const id = Number(request.url.split('/').at(-1));
    const body = Number.isNaN(id) ? { items, next: null } : { pickupMemo: `memo ${id}` };
    answering(200, body, { 'content-type': 'application/json' })(response, request);
  });
  const { signal } = new AbortController();
  const http = new DemoHttp({ apiUrl: url, token: 't', sandboxUrl: url, supplierKey: 'k', signal });

  const underWay = await http.listOpen();

  await turn();
  expect(underWay).toEqual(ids.map((reservationId) => ({ reservationId, memo: `memo ${reservationId}` })));
  expect(warnings).toEqual([]);
});

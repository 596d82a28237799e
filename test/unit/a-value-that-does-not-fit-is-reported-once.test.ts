import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createMismatches, reportingCallbacks } from '../../src/app/metrics/mismatches.js';
import type { Mismatch } from '../../src/platform/mismatches.js';
import { defaultProfile } from '../../src/platform/profiles/default/index.js';
import { aCar } from '../support/fake-fleet.js';
import { answering, httpPeer } from '../support/http-peer.js';
import { clientOf } from '../support/platform-client.js';

const options = (optionKey1: unknown) => ({
  optionKey1,
  optionNm1: 'a',
  optionKey2: 'b',
  optionNm2: 'c',
  optionKey3: 'd',
  optionNm3: 'e',
  optionValue: 'Y',
});
const carOnTheWire = (carId: number) => ({
  ...aCar(carId),
  modifiedAt: '2026-11-21T12:00:00.000+0900',
  carOptionList: [options(4711), options(4712)],
});

it('F93: a value that does not fit is logged once and counted always, by operation, path, type and gap, never with the value', async () => {
  const lines: unknown[] = [];
  const registry = new Registry();
  const onMismatch = createMismatches(registry, { warn: (...line: unknown[]) => lines.push(line) } as never);
  const { url } = await httpPeer(answering(200, [carOnTheWire(1), carOnTheWire(2)]));
  const client = clientOf(url, { onMismatch });
  for (const _ of [1, 2]) {
    const cars = await client.listCars();
    expect(cars.map(({ carId, carOptionList }) => [carId, carOptionList?.length])).toEqual([
      [1, 2],
      [2, 2],
    ]);
    expect(cars[0]?.carOptionList?.[0]).toMatchObject({ optionKey1: null, optionNm1: 'a' });
  }
  expect(lines).toEqual([
    [
      {
        operation: 'listCars',
        path: 'carOptionList.optionKey1',
        gap: 'G06',
        expected: 'string',
        received: 'number',
      },
      expect.any(String),
    ],
  ]);
  const shown = await registry.metrics();
  expect(shown).toContain(
    'handover_platform_mismatches_total{operation="listCars",path="carOptionList.optionKey1",received="number",gap="G06"} 8',
  );
  expect(JSON.stringify(lines) + shown).not.toMatch(/471[12]/);
});

it('F93: a value of a callback that does not fit is reported too', () => {
  const reported: Mismatch[] = [];
  const wire = reportingCallbacks(defaultProfile.callbacks, (mismatch) => reported.push(mismatch));
  wire.decode('status', { reservationId: 1, reservationStatus: 20, changedAt: 1_700_000_000 });
  expect(reported).toMatchObject([
    { operation: 'callback status', path: 'changedAt', received: 'number', gap: 'G30', count: 1 },
  ]);
});

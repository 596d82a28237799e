import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { paths, screenAt } from '../../../console/state/paths.js';
import { pages } from '../../../src/api/console/files.js';
import { alertKinds } from '../../../src/store/alerts/kinds.js';
import { placeOfAlert, placeOfReservation } from '../../../src/store/alerts/places.js';

it('the server answers the paths of the screens with the page, and no others', () => {
  expect(Object.values(paths).sort()).toEqual([...pages].sort());
});

it('an address is of one screen, or of none', () => {
  expect(['/', '/r/8421', '/go', '/cars', '/in', '/shift'].map(screenAt)).toEqual([
    { name: 'now', id: Number.NaN },
    { name: 'reservation', id: 8421 },
    { name: 'field', id: Number.NaN },
    { name: 'cars', id: Number.NaN },
    { name: 'callbacks', id: Number.NaN },
    { name: 'shift', id: Number.NaN },
  ]);
  for (const other of ['/docs', '/r', '/r/x', '/r/1/2', '/cars/', '/carsx', '/api/cars'])
    expect(screenAt(other), other).toBeNull();
});

it('each alert leads to a screen, and so does a phone that installed the console', () => {
  for (const kind of alertKinds)
    expect(screenAt(new URL(placeOfAlert(kind, null), 'http://console').pathname), kind).not.toBeNull();
  const ofHold = { code: 'alert.hold-stuck', data: { holdId: 'h-1', carId: 12, attention: [] } };
  expect(placeOfAlert('hold-stuck', ofHold)).toBe('/cars?car=12');
  expect(placeOfAlert('hold-stuck', 'a text of the release before')).toBe('/cars');
  const ofWorkflows = (first: string[]) => ({ code: 'alert.workflow-stuck', data: { first, more: 0 } });
  expect(placeOfAlert('workflow-stuck', ofWorkflows(['booking-1', 'reservation-8421']))).toBe('/r/8421');
  expect(placeOfAlert('non-determinism', ofWorkflows(['reservation']))).toBe('/');
  expect(screenAt(placeOfReservation(8421))).toEqual({ name: 'reservation', id: 8421 });
  const { start_url } = JSON.parse(readFileSync('console/manifest.webmanifest', 'utf8'));
  expect(start_url).toBe(paths.field);
});

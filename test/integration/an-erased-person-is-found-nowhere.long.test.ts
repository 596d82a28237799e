import { randomUUID } from 'node:crypto';
import { historyFromJSON, historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eraserOf } from '../../src/app/parts/erasure.js';
import { bookingWorkflowId, reservationWorkflowId } from '../../src/contract/names.js';
import { fingerprint } from '../../src/domain/shared/hash.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { openBlobStore } from '../../src/store/photos/store.js';
import { createEndedReservations } from '../../src/store/reservations/ended.js';
import { createSealer } from '../../src/store/sealing/sealer.js';
import type { Eraser } from '../../src/temporal/client/erasure/eraser.js';
import { noteEnded } from '../../src/temporal/client/reservations/note-ended.js';
import { refuseUnencrypted } from '../../src/temporal/worker/refuse-unencrypted.js';
import { publicTestKey } from '../support/codec.js';
import { onOneDatabase } from '../support/database.js';
import { workflowBundle } from '../support/engine.js';
import { type ErasureLane, onDevServer, onRealServer, withoutRealServer } from '../support/erasure-lanes.js';
import { eventually } from '../support/eventually.js';
import { type HandoverParts, photoFolder, startHandoverParts } from '../support/handover-parts.js';
import { everythingReadable, filesIn, type Place } from '../support/intruder.js';
import { jpeg } from '../support/sandbox-client.js';

const person = {
  driverName: 'Hong Gil-dong',
  driverBirth: '19850417',
  driverPhone: '01055512001',
  licence: '11-85-004170-01',
  driverAddress: '12 Driver-ro, Mapo-gu',
  companionName: 'Lee Companion',
  companionPhone: '01055512002',
  pickupAddress: '7 Pickup-daero, Jung-gu',
  pickupMemo: 'wears a red hat',
  staffName: 'Staff Kimchi',
  staffPhone: '01055512003',
  parkingMemo: 'B2 beside pillar 14',
  overrideReason: 'the driver reported it by phone',
  recallNote: 'Gil-dong left a scratch',
  replayReason: 'Gil-dong asked by letter',
} as const;
const photoText = 'the face of Hong in these pixels';
const personal = [...Object.values(person), photoText];
const another = 'Park Another';

const driver = {
  name: person.driverName,
  birth: person.driverBirth,
  phone: person.driverPhone,
  licenseNumber: person.licence,
  address: person.driverAddress,
};
const booking = {
  productId: 301,
  pickupAddress: person.pickupAddress,
  pickupMemo: person.pickupMemo,
  driver,
  companionInfo: { name: person.companionName, phone: person.companionPhone },
};
/** Requests that have texts of the person. */
const broughtBy = [
  '/api/reservations',
  '/api/reservations/:id/dispatch/staff',
  '/api/reservations/:id/dispatch/parkingImage',
  '/api/reservations/:id/recall/complete',
  '/events/reservation',
  '/api/inbox/replay',
];
const override = { override: true, reason: person.overrideReason };

onOneDatabase('L60: after an erasure, with the dev server', (database) => testErasure(onDevServer(database)));

describe.skipIf(withoutRealServer !== '')(
  `L60: after an erasure, with the Temporal server on Postgres${withoutRealServer}`,
  () => testErasure(onRealServer()),
);

function testErasure(lane: ErasureLane): void {
  const logged: string[] = [];
  let database: HandoverDatabase;
  let parts: HandoverParts;
  let eraser: Eraser;
  let id: number;
  let bookedBy: string;
  let open: number;
  let others: number;
  let before: Place[];
  let after: Place[];
  /** Of each run of the reservation, and of its booking. */
  let histories: { workflowId: string; history: string }[];

  beforeAll(async () => {
    database = await lane.open();
    const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
    parts = await startHandoverParts(database, {
      worker: true,
      dataKeys: true,
      log,
      // several runs: each passes its state to the next
      policy: { settleMs: 300, signalsPerRun: 5 },
      engine: lane.engine,
      env: lane.env ?? {},
    });
    const { setting, temporal } = parts;
    const photos = await openBlobStore(setting.config.blobs, temporal.dataKeys);
    const sealer = createSealer(setting.config.codec.keys);
    eraser = eraserOf(setting, { temporal, db: database.db, sealer, photos });
    bookedBy = randomUUID();
    id = await book(bookedBy, booking);
    await playToItsEnd(id);
    open = await book(randomUUID(), booking);
    others = await book(randomUUID(), {
      ...booking,
      driver: { ...driver, name: another, phone: '01000000009', licenseNumber: '99' },
    });
    await parts.platform.customer(others, 'cancel');
    await isClosed(others);
    const replayed = { reservationId: id, reason: person.replayReason };
    expect((await parts.ask('POST', '/api/inbox/replay', { json: replayed })).status).toBe(202);
    await eventually('what was replayed has verdicts again', async () => {
      const { items } = (await parts.ask('GET', `/api/inbox?reservationId=${id}`)).body;
      return items.every(({ verdict }: { verdict: string | null }) => verdict !== null);
    });
    histories = await readHistories();
  }, 300_000);
  afterAll(async () => {
    await parts?.stop();
    await database?.close();
  }, 30_000);

  async function book(commandId: string, given: object): Promise<number> {
    const json = { ...given, ...parts.platform.nextPeriod() };
    const { status, body } = await parts.ask('POST', '/api/reservations', { key: commandId, json });
    expect(status, JSON.stringify(body)).toBe(201);
    await eventually('it is announced', async () => (await parts.view(body.reservationId))?.registered);
    return body.reservationId;
  }

  const send = async (of: number, path: string, method: string, request: object) => {
    const { status, body } = await ask(of, path, method, request);
    expect(status, `${path}: ${JSON.stringify(body)}`).toBe(200);
  };
  const ask = (of: number, path: string, method: string, request: object) =>
    parts.ask(method, `/api/reservations/${of}/${path}`, { key: randomUUID(), ...request });
  const photoKey = randomUUID();
  const photo = (fields: Record<string, string> = {}) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...fields, override: 'true', reason: override.reason })) {
      form.append(name, value);
    }
    form.append('image', new Blob([jpeg as Uint8Array<ArrayBuffer>, photoText]), 'photo.jpg');
    return { form };
  };
  const reaches = (of: number, code: number) =>
    eventually(`status ${code}`, async () => (await parts.view(of))?.status.code === code, 30_000, 50);

  async function playToItsEnd(of: number): Promise<void> {
    const staff = { staffName: person.staffName, staffPhone: person.staffPhone, ...override };
    await send(of, 'dispatch/staff', 'PUT', { json: staff });
    await send(of, 'dispatch/start', 'PUT', { json: override });
    await send(
      of,
      'dispatch/parkingImage',
      'POST',
      photo({ parkingMemo: person.parkingMemo, parkingLotType: '1' }),
    );
    await send(of, 'dispatch/carImage', 'POST', { key: photoKey, ...photo() });
    await send(of, 'dispatch/complete', 'PUT', {
      json: { parkingMemo: person.parkingMemo, parkingLotType: 1, ...override },
    });
    await reaches(of, 15);
    await parts.platform.customer(of, 'start-use');
    await reaches(of, 20);
    await parts.platform.customer(of, 'return');
    await reaches(of, 30);
    await send(of, 'recall/staff', 'PUT', { json: staff });
    await send(of, 'recall/carImage', 'POST', photo());
    await send(of, 'recall/complete', 'PUT', { json: { note: person.recallNote, ...override } });
    await isClosed(of);
  }

  const isClosed = (of: number) =>
    eventually('it is closed', async () => (await parts.view(of))?.closed, 60_000, 100);
  const readHistories = async () => {
    const { workflow } = parts.temporal.client;
    const read: typeof histories = [];
    for (const workflowId of [reservationWorkflowId(id), bookingWorkflowId(bookedBy)]) {
      const { raw } = await workflow.getHandle(workflowId).describe();
      let runId = raw.workflowExecutionInfo?.firstRunId;
      while (runId) {
        const history = await workflow.getHandle(workflowId, runId).fetchHistory();
        read.push({ workflowId, history: historyToJSON(history) });
        runId = history.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
      }
    }
    return read;
  };
  const storedPhotos = () => lane.photos?.() ?? filesIn(photoFolder(parts.setting));
  const readable = async () => {
    const { temporal } = parts;
    const photos = await storedPhotos();
    const stored = await everythingReadable(database, { temporal, keys: [publicTestKey], photos });
    return [...stored, ...((await lane.copies?.(parts)) ?? [])];
  };
  const isDecryptedBackup = (place: string) => place.startsWith('backup of') && place.includes(' under ');
  const isOfPerson = ({ text }: Place, value: string) => text.includes(value);
  /** Of the one reservation: what the open one of the same person holds is not counted. */
  const found = (places: Place[]) =>
    personal.filter((value) => places.some((place) => !isOfOpen(place) && isOfPerson(place, value)));
  const isOfOpen = ({ place, text }: Place) =>
    place.includes(`reservation-${open}`) ||
    (place.startsWith('table') && new RegExp(`"reservation_?[iI]d\\\\?":${open}\\b`).test(text)) ||
    (place.includes('booking-') && !place.includes(bookedBy)) ||
    text.includes(another) ||
    place.includes(`reservation-${others}`) ||
    (place.startsWith('table') && text.includes(`:${others}`));

  it('before it everything is found: each name, number, address, memo, reason and photo (control)', async () => {
    before = await readable();
    expect(found(before)).toEqual(personal);
  });

  if (lane.copies)
    it("before it a backup of Temporal's database has what its histories show (control)", () => {
      const shown = found(before.filter(({ place }) => place.startsWith('decoded ')));
      expect(shown).toEqual(
        expect.arrayContaining([person.driverName, person.pickupMemo, person.recallNote]),
      );
      expect(found(before.filter(({ place }) => isDecryptedBackup(place)))).toEqual(shown);
    });

  /** Hashes of all that its callbacks state, which a holder of the codec token can compare with guesses, and their fingerprints. */
  const guessable = () => {
    const texts = before.filter(({ place }) => place === `decoded ${reservationWorkflowId(id)}`);
    const hashes = texts.flatMap(({ text }) =>
      [...text.matchAll(/"contentHash":"([0-9a-f]{64})"/g)].map(([, hash = '']) => hash),
    );
    return [...new Set(hashes)].map((hash) => ({ hash, newest: `"${fingerprint(hash)}"` }));
  };
  const isShown = (places: Place[], text: string) =>
    places.some((place) => !isOfOpen(place) && place.text.includes(text));

  it('before it hashes and fingerprints of what callbacks state are found (control)', () => {
    const found = guessable();
    expect(found.length).toBeGreaterThan(3);
    expect(found.some(({ newest }) => isShown(before, newest))).toBe(true);
  });

  it('reading a closed reservation as staff is in the audit', async () => {
    const { body } = await parts.ask('GET', '/api/audit?action=reservation.read');
    expect(body.items).toMatchObject([
      { subject: `reservation/${others}` },
      { subject: `reservation/${id}` },
    ]);
  });

  it('an open reservation is refused, and an unknown one', async () => {
    const order = { reservations: [open, 999_999_999], by: 'dpo', cause: 'reservation' } as const;
    expect(await eraser.erase(order)).toMatchObject({
      certificate: null,
      refused: [
        { reservationId: open, code: 'RESERVATION_OPEN' },
        { reservationId: 999_999_999, code: 'RESERVATION_NOT_FOUND' },
      ],
    });
  });

  it('the person is found by name, phone and licence; the certificate names nothing of them', async () => {
    const { certificate, refused } = await eraser.eraseDriver('010-5551-2001', 'dpo');
    // the open one is found by its booking
    expect(refused).toMatchObject([{ reservationId: open, code: 'RESERVATION_OPEN' }]);
    expect(certificate).toMatchObject({ by: 'dpo', cause: 'driver', reservations: [id] });
    const { counts } = certificate ?? expect.fail('no certificate');
    expect(counts).toMatchObject({ reservations: 1, bookings: 1, keys: 3 });
    expect(counts.photos).toBeGreaterThan(0);
    expect(counts.bodies).toBeGreaterThan(3);
    expect(counts.payloads).toBeGreaterThan(50);
    const { body } = await parts.ask('GET', '/api/erasures');
    expect(body.items).toMatchObject([{ by: 'dpo', counts }]);
    for (const value of personal) expect(JSON.stringify(body)).not.toContain(value);
    const again = await eraser.eraseDriver('hong gil-DONG', 'dpo');
    expect(again).toMatchObject({
      certificate: null,
      refused: [{ reservationId: open, code: 'RESERVATION_OPEN' }],
    });
  });

  it('nothing of the person is found in databases, photos, histories and logs', async () => {
    after = await readable();
    expect(
      after
        .filter((place) => !isOfOpen(place))
        .flatMap((place) =>
          personal.filter((value) => isOfPerson(place, value)).map((value) => `${place.place}: ${value}`),
        ),
    ).toEqual([]);
    // the log has each request that brought them (control)
    for (const route of broughtBy)
      expect(
        logged.filter((line) => line.includes(`"route":"${route}"`)),
        route,
      ).not.toEqual([]);
    expect(personal.filter((value) => logged.some((line) => line.includes(value)))).toEqual([]);
    expect(guessable().filter(({ hash, newest }) => isShown(after, hash) || isShown(after, newest))).toEqual(
      [],
    );
    // of others everything is there
    expect(after.some(({ text }) => text.includes(another))).toBe(true);
  });

  if (lane.copies)
    it('backups and logs of the servers have no text of any person, before it neither', () => {
      for (const places of [before, after]) {
        const plain = places.filter(
          ({ place }) => /^(backup|log) of/.test(place) && !isDecryptedBackup(place),
        );
        const has = (place: string, text: string) =>
          plain.some((one) => one.place.startsWith(place) && one.text.includes(text));
        // within the payloads that would show the person, were they not encrypted (control)
        expect(has('backup of temporal: history_node', `data:reservation-${id}#`)).toBe(true);
        expect(has('backup of temporal_visibility: executions_visibility', `reservation-${id}`)).toBe(true);
        expect(has('backup of handover_test_', `reservation-${id}`)).toBe(true);
        expect(has('log of Temporal', 'frontend')).toBe(true);
        expect(has('log of Postgres', 'ready to accept connections')).toBe(true);
        expect(
          [...personal, another].filter((value) => plain.some((place) => isOfPerson(place, value))),
        ).toEqual([]);
      }
    });

  it('its rows have ids, times, codes and rules', async () => {
    const view = await parts.view(id);
    expect(view).toMatchObject({ reservationId: id, status: { code: 35 }, closed: true, driver: null });
    expect(view?.marks).toContain('erased');
    expect(view?.commands.map(({ action, outcome }) => `${action} ${outcome}`)).toContain(
      'dispatch.staff applied',
    );
    const { body } = await parts.ask('GET', `/api/reservations/${id}/timeline?limit=500`);
    expect(body.items.length).toBeGreaterThan(10);
    const events = (await parts.ask('GET', `/api/inbox?reservationId=${id}`)).body.items;
    expect(events.length).toBeGreaterThan(3);
    for (const { verdict } of events) expect(verdict).not.toBeNull();
  });

  it('its histories replay, from a copy that was made before the erasure too', async () => {
    const { dataConverter, client } = parts.temporal;
    const all = [...histories, ...(await readHistories())].map(({ workflowId, history }) => ({
      workflowId,
      history: historyFromJSON(JSON.parse(history)),
    }));
    const { codePath } = workflowBundle();
    const options = {
      workflowBundle: { codePath },
      namespace: client.options.namespace,
      dataConverter: refuseUnencrypted(dataConverter),
    };
    let replayed = 0;
    for await (const { error } of Worker.runReplayHistories(options, all)) {
      expect(error).toBeUndefined();
      replayed++;
    }
    expect(replayed).toBe(2 * histories.length);
    // two runs of the reservation at least
    expect(histories.length).toBeGreaterThan(2);
    // Temporal UI, and a query of the closed workflow
    const shown = await client.workflow
      .getHandle(reservationWorkflowId(id))
      .query<{ driver: { name: string } }>('view');
    expect(shown.driver.name).toMatch(/^\[erased \d+\]$/);
  });

  it('a second erasure finds nothing to erase', async () => {
    const order = { reservations: [id], by: 'dpo', cause: 'reservation' } as const;
    expect(await eraser.erase(order)).toMatchObject({
      certificate: null,
      refused: [{ reservationId: id, code: 'RESERVATION_ERASED' }],
    });
  });

  const photoFiles = async () => (await storedPhotos()).map(({ path }) => path);

  it('L21: the repeat of a photo is answered as before, another is refused, and none is stored', async () => {
    const stored = await photoFiles();
    const repeated = await ask(id, 'dispatch/carImage', 'POST', { key: photoKey, ...photo() });
    expect(repeated).toMatchObject({ status: 200, body: { reservationId: id } });
    for (const value of personal) expect(JSON.stringify(repeated.body)).not.toContain(value);
    const another = await ask(id, 'dispatch/carImage', 'POST', photo());
    expect(another).toMatchObject({ status: 409, body: { code: 'RESERVATION_TERMINAL' } });
    expect(await photoFiles()).toEqual(stored);
  });

  it('a photo of a reservation whose workflow was ended before its erasure is refused, and not stored', async () => {
    const { client } = parts.temporal;
    await client.workflow.getHandle(reservationWorkflowId(open)).terminate();
    const ended = createEndedReservations(database.db);
    await eventually('its end is noted', async () => {
      await noteEnded(client, ended);
      return ended.has(open);
    });
    const order = { reservations: [open], by: 'dpo', cause: 'reservation' } as const;
    expect((await eraser.erase(order)).certificate).toMatchObject({ reservations: [open] });
    const stored = await photoFiles();
    const answer = await ask(open, 'dispatch/carImage', 'POST', photo());
    expect(answer).toMatchObject({ status: 409, body: { code: 'RESERVATION_TERMINAL' } });
    expect(await photoFiles()).toEqual(stored);
  });
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { LogFile } from '../../src/app/log-file.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { inbox } from '../../src/store/schema.js';
import { aReservation, callbackSecret, pathOf, reservationBody } from './callbacks.js';
import type { Delivery } from './crash/deliveries.js';
import { Sender } from './crash/sender.js';
import { eventually } from './eventually.js';
import { startReceiver } from './intake.js';
import { type SmallDisk, smallDisk } from './small-disk.js';

/** Why no disk can be filled here, as a part of a title; undefined: one can. */
export function whyNoSmallDisk(): string | undefined {
  const probe = smallDisk(1);
  probe?.remove();
  return probe === undefined ? ' (skipped: this user may not mount a small filesystem)' : undefined;
}

/** A registration of some 4 KB. */
export const delivery = (reservationId: number): Delivery => ({
  webhookId: `msg_${reservationId}`,
  kind: 'registration',
  path: pathOf('registration'),
  reservationId,
  body: reservationBody('registration', aReservation(reservationId, { pickupAddress: 'x'.repeat(3_000) })),
});

export interface FullDisk {
  disk: SmallDisk;
  /** Its data lies on the disk. */
  database: HandoverDatabase;
  callbacks: number;
  /** Done once nothing fits on the disk any more. */
  whenFull?: () => Promise<unknown>;
}

/** Fills the disk under a stream of callbacks, sees that none is accepted, frees it, and waits until all are. */
export async function surviveFullDisk({ disk, database, callbacks, whenFull }: FullDisk): Promise<void> {
  const receiver = await startReceiver(database);
  const log = new LogFile(join(disk.path, 'handover.log'));
  const sender = new Sender({ address: receiver.origin, secret: callbackSecret });
  try {
    const deliveries = Array.from({ length: callbacks }, (_, at) => delivery(at + 1));
    sender.send(deliveries, { lanes: 4, perSecond: 400 });
    await eventually('some are accepted', () => sender.count > 50, 30_000);
    disk.fill();
    await whenFull?.();
    const line = () => log.write(`{"msg":"${'x'.repeat(4_096)}"}\n`);
    const failures = sender.failed;
    await eventually('the disk is full', () => sender.failed > failures + 20, 30_000);
    line();
    expect(log.lost).toBe(1);
    disk.free();
    await sender.done();
    line();
    expect(readFileSync(join(disk.path, 'handover.log'), 'utf8')).toContain('"lostLines":1');
    const rows = await database.db.select({ id: inbox.eventId }).from(inbox);
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(sender.acknowledged.keys()));
    expect(sender.acknowledged.size).toBe(callbacks);
  } finally {
    sender.stop();
    await receiver.close();
  }
}

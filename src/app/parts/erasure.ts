import type { Duty } from '../../inbox/relay/duty.js';
import { Rounds } from '../../inbox/rounds.js';
import type { Alerts } from '../../store/alerts/alerts.js';
import { message } from '../../store/alerts/messages/message.js';
import { OwnAlerts } from '../../store/alerts/own-alerts.js';
import type { Lease } from '../../store/connection/lease.js';
import { countOverdue, type StoredFor } from '../../store/erasure/due.js';
import { createPhotoUses } from '../../store/erasure/photo-uses.js';
import type { HandoverDb } from '../../store/handover.js';
import type { BlobStore } from '../../store/photos/store.js';
import { createPersonHashes } from '../../store/sealing/person-hashes.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import type { TemporalClient } from '../../temporal/client/create-client.js';
import { createEraser, type Eraser } from '../../temporal/client/erasure/eraser.js';
import { viewOf, viewOfEnded } from '../../temporal/client/reservations/view.js';
import type { Setting } from '../startup/setting.js';
import { eraseDue } from './erase-due.js';
import { ErasureReport } from './erasure-report.js';

const everyMs = 3_600_000;
const viewWithinMs = 5_000;

interface EraserParts {
  temporal: Pick<TemporalClient, 'client' | 'dataKeys'>;
  db: HandoverDb;
  sealer: Sealer;
  photos: Pick<BlobStore, 'deletePhotos'>;
}

/** The eraser of this process. */
export function eraserOf(
  { config, policy }: Pick<Setting, 'config' | 'policy'>,
  { temporal: { client, dataKeys }, db, sealer, photos }: EraserParts,
): Eraser {
  const uses = createPhotoUses({
    db,
    sealer,
    viewOf: (id) => viewOf(client, id, viewWithinMs),
    viewOfEnded: (id) => viewOfEnded(client, id, viewWithinMs),
  });
  return createEraser({
    db,
    sealer,
    client,
    dataKeys,
    policy,
    persons: createPersonHashes(config.codec.keys),
    photos: {
      async deletePhotos(id, hashes, isStopping) {
        const shared: string[] = [];
        const left: string[] = [];
        let reason: unknown;
        const deleted = await photos.deletePhotos(id, hashes, async (hash) => {
          const use = await uses.useElsewhere(hash, id, isStopping);
          if (use === 'unused') return false;
          if (use !== 'used') reason ??= use.unanswered;
          (use === 'used' ? shared : left).push(hash);
          return true;
        });
        return { deleted, shared, left, reason };
      },
      useAgain: uses.useAgain,
    },
  });
}

/** The retention of personal data, a duty of the process with the leading relay. */
export function erasureDuty(
  setting: Setting,
  {
    alerts,
    isConnected = () => true,
    ...parts
  }: EraserParts & { alerts: Alerts; isConnected?: (() => boolean) | undefined },
): (lease: Pick<Lease, 'remainingMs'>) => Duty {
  const { config, log } = setting;
  const retention = {
    ...config.erasure,
    db: parts.db,
    sealer: parts.sealer,
    persons: createPersonHashes(config.codec.keys),
    eraser: eraserOf(setting, parts),
    dataKeys: parts.temporal.dataKeys,
  };
  return (lease) => {
    const own = new OwnAlerts(alerts);
    const report = new ErasureReport(log, everyMs);
    const rounds = new Rounds({
      name: 'the retention of personal data',
      log,
      everyMs,
      mayRun: () => lease.remainingMs() > 0 && isConnected(),
      async round(isStopping) {
        try {
          const done = await eraseDue(retention, Date.now(), isStopping);
          report.write(done);
          // what they need is away: the round counts as failed, and is repeated soon
          if (done.isGivenUp) throw done.failed.at(-1)?.error;
        } finally {
          if (!isStopping()) await reportOverdue(parts.db, own, config.erasure);
        }
      },
    });
    return {
      start: () => rounds.start(),
      // not awaited: a step waits for Temporal or the photo store, and another process may erase beside it
      async stop() {
        void rounds.stop();
      },
    };
  };
}

async function reportOverdue(db: HandoverDb, alerts: OwnAlerts, storedFor: StoredFor): Promise<void> {
  const now = Date.now();
  const count = await countOverdue(db, storedFor, now);
  const text = count === 0 ? null : message('alert.personal-data-overdue', { count });
  await alerts.set({ kind: 'personal-data-overdue', subject: '' }, text, now);
}

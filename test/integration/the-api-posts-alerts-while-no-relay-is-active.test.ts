import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/app/config/index.js';
import { createLogger } from '../../src/app/log.js';
import { startStandbyWatch } from '../../src/app/parts/standby-watch.js';
import { Stack } from '../../src/app/startup/stack.js';
import { readRelays } from '../../src/inbox/relay/read-relays.js';
import { createInboxStore } from '../../src/store/callbacks/insert.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { statusArrival } from '../support/arrivals.js';
import { startReceiver } from '../support/callback-receiver.js';
import { onOneDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { sealer } from '../support/intake.js';

onOneDatabase('handover api without any worker', (lane) => {
  let database: HandoverDatabase;
  beforeAll(async () => {
    database = await lane.open();
  });
  afterAll(() => database.close());

  it('raises the backlog and posts it to ALERT_URL', async () => {
    const operations = await startReceiver();
    const log = createLogger('silent');
    const stack = new Stack(log);
    onTestFinished(async () => {
      await stack.stop();
      await operations.close();
    });
    const config = loadConfig({
      ALERT_URL: operations.url,
      ALERT_SECRET: `whsec_${Buffer.from('a secret of the alert receiver').toString('base64')}`,
      CODEC_KEYS: `one:${Buffer.alloc(32, 7).toString('base64')}`,
    });
    const arrival = statusArrival('msg_1', 1, { receivedAt: Date.now() - 600_000 });
    await createInboxStore(database, sealer).store(arrival);
    expect((await readRelays(database.db)).leader).toBeNull();
    await startStandbyWatch({ config, log } as Parameters<typeof startStandbyWatch>[0], stack, database);
    await eventually('it is posted', () => operations.received.length > 0);
    expect(operations.received[0]?.body).toMatchObject({ type: 'alert.raised', kind: 'intake-backlog' });
  });
});

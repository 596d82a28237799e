import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CaseFile } from '../../src/contract/reservation.js';
import { timeSkippingEnv } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { FakePlatform } from '../support/fake-platform.js';
import { car, company, day, hour, minute, policy, reservationWorker } from '../support/reservations.js';

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await timeSkippingEnv();
});
afterAll(() => env?.teardown());

/** A platform whose case files can be refused, or met by something on their way. */
class Archive extends FakePlatform {
  down = false;
  attempted = 0;
  /** Happens once, after a file is written and before its workflow knows. */
  meanwhile: (() => Promise<void>) | undefined;
  override activities() {
    const activities = super.activities();
    const closeCase = async (file: CaseFile) => {
      this.attempted += 1;
      if (this.down) throw new Error('the database is down');
      await activities.closeCase(file);
      const happens = this.meanwhile;
      this.meanwhile = undefined;
      await happens?.();
    };
    return { ...activities, closeCase };
  }
}

async function rentalOf(platform: FakePlatform, own: Partial<typeof policy> = {}) {
  const { whileRunning, reservation } = await reservationWorker(env, platform);
  const rental = reservation({ policy: { ...policy, ...own } });
  const now = await env.currentTimeMs();
  const period = { start: now + 2 * hour, end: now + 12 * hour };
  const news = (status: number, more = {}) => rental.event({ status, period, car, company, ...more });
  const status = async () => (await rental.handle.describe()).status.name;
  return { whileRunning, rental, period, news, status };
}

it('L47: a reservation stays open for the settle time, then its case file is stored and it ends', async () => {
  const platform = new FakePlatform();
  const { whileRunning, rental, period, news, status } = await rentalOf(platform);
  await whileRunning(async () => {
    await rental.deliver(news(45));
    await eventually('the end is known', async () => (await rental.view()).status.code === 45);
    await env.sleep(day - minute);
    expect(await status()).toBe('RUNNING');
    expect(platform.caseFiles).toEqual([]);
    const before = await env.currentTimeMs();
    await rental.handle.result();
    const [file, ...others] = platform.caseFiles;
    expect(others).toEqual([]);
    expect(file).toMatchObject({
      reservationId: rental.id,
      facts: { status: 45, carId: car.id, companyId: company.id, period, attention: [] },
      view: { reservationId: rental.id, status: { code: 45 }, car: { id: car.id }, closed: true },
    });
    expect(file?.closedAt).toBeGreaterThan(before);
    expect(await rental.view()).toEqual(file?.view);
  });
});

it('L47: an open physical task keeps a reservation open; when a person has resolved it, it closes', async () => {
  const platform = new FakePlatform();
  const { whileRunning, rental, news, status } = await rentalOf(platform);
  await whileRunning(async () => {
    await rental.deliver(news(10), news(40));
    await eventually('the task is open', async () =>
      (await rental.view()).attention.some(({ kind }) => kind === 'retrieve-car'),
    );
    await env.sleep(5 * day);
    expect(await status()).toBe('RUNNING');
    expect(platform.caseFiles).toEqual([]);
    await rental.handle.executeUpdate('resolveAttention', {
      args: [{ kind: 'retrieve-car', reason: 'the car is back', by: 'lee' }],
    });
    await rental.handle.result();
    expect(platform.caseFiles).toMatchObject([{ facts: { status: 40, attention: [] } }]);
  });
});

it('a database that is down at the closing keeps a reservation open, and its case file has the events that arrive meanwhile', async () => {
  const platform = new Archive();
  platform.down = true;
  const { whileRunning, rental, period, news, status } = await rentalOf(platform, { settleMs: minute });
  await whileRunning(async () => {
    await rental.deliver(news(45));
    await eventually('the end is known', async () => (await rental.view()).status.code === 45);
    await env.sleep(3 * minute);
    expect(platform.attempted).toBeGreaterThan(3);
    expect(await status()).toBe('RUNNING');
    expect(await rental.view()).toMatchObject({ status: { code: 45 }, closed: true });
    const late = news(45, { period: { ...period, end: period.end + hour } });
    await rental.deliver(late);
    await eventually('the late event has its verdict', () => judged(platform).includes(late.inboxId));
    platform.down = false;
    await rental.handle.result();
    // the retried write may end with the earlier file; the later one replaces it
    expect(platform.caseFiles.at(-1)).toMatchObject({ facts: { period: { end: period.end + hour } } });
  });
});

it('an event that arrives between the case file and the end is in a later version of the case file', async () => {
  const platform = new Archive();
  const { whileRunning, rental, period, news } = await rentalOf(platform, { settleMs: minute });
  const late = news(45, { period: { ...period, end: period.end + hour } });
  platform.meanwhile = () => rental.deliver(late);
  await whileRunning(async () => {
    await rental.deliver(news(45));
    await rental.handle.result();
    const [first, last, ...others] = platform.caseFiles;
    expect(others).toEqual([]);
    expect(first?.facts.period).toEqual(period);
    expect(last?.facts.period).toEqual({ ...period, end: period.end + hour });
    expect(last?.closedAt).toBeGreaterThanOrEqual(first?.closedAt ?? Number.POSITIVE_INFINITY);
    expect(judged(platform)).toContain(late.inboxId);
  });
});

it('L09: another end that arrives there starts the settle time again, and the valid case file shows both', async () => {
  const platform = new Archive();
  const { whileRunning, rental, news, status } = await rentalOf(platform, { settleMs: hour });
  const other = news(40);
  platform.meanwhile = () => rental.deliver(other);
  await whileRunning(async () => {
    await rental.deliver(news(50));
    await eventually('the end is known', async () => (await rental.view()).status.code === 50);
    await env.sleep(hour + minute);
    await eventually('the other end is judged', () => judged(platform).includes(other.inboxId));
    expect(await status()).toBe('RUNNING');
    expect(platform.caseFiles).toMatchObject([{ facts: { status: 50 } }]);
    await rental.handle.result();
    expect(platform.caseFiles.at(-1)).toMatchObject({
      facts: { status: 40, attention: ['conflict'] },
    });
  });
});

function judged(platform: FakePlatform): number[] {
  return platform.records.flatMap(({ verdicts }) => verdicts.map(({ inboxId }) => inboxId));
}

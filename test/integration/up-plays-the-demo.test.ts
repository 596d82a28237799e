import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { CommandView } from '../../src/domain/reservation/index.js';
import { connectClient, embeddedTarget } from '../../src/temporal/connection/connection.js';
import { isAlive } from '../../src/temporal/server/process-info.js';
import { hasBrowser, withoutBrowser } from '../support/browser.js';
import { ConsoleWorld } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { Deployment, type Ready, type Run, readJson } from '../support/process.js';
import { jpeg } from '../support/sandbox-client.js';

interface Story {
  reservationId: number;
  status: { code: number };
  pickup: { memo: string };
}

const ends: Record<string, number> = { 'on-time': 35, weekend: 35, cancelled: 40, 'no-show': 45, late: 35 };
const dispatch = [
  'dispatchStaff',
  'dispatchStart',
  'dispatchParkingImage',
  'dispatchCarImage',
  'dispatchComplete',
];
const recall = ['recallStaff', 'recallCarImage', 'recallComplete'];
const operationsOf: Record<string, string[]> = {
  'on-time': [...dispatch, ...recall],
  weekend: [...dispatch, ...recall],
  cancelled: dispatch.slice(0, 2),
  'no-show': dispatch,
  late: [...dispatch, ...recall],
};

const photo = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(jpeg) };
/** What follows a click, a callback or a customer's move; a page without a stream reads every 10 s. */
const within = { timeout: 60_000 };

let deployment: Deployment;
let run: Run;
let at: Ready;
let stories: Map<string, Story>;

beforeAll(async () => {
  deployment = await Deployment.createWithDatabases();
  run = deployment.run(['up', '--demo-pace', '0'], { LOG_LEVEL: 'trace' });
  at = await run.ready();
  await run.says(/\d of \d reservations ended as planned/, 120_000);
  const { items } = await api<{ items: { reservationId: number }[] }>('/api/reservations');
  const seen = await Promise.all(items.map((item) => api<Story>(`/api/reservations/${item.reservationId}`)));
  stories = new Map(seen.map((story) => [story.pickup.memo.replace('demo: ', ''), story]));
}, 240_000);
afterAll(() => deployment?.remove());

const api = <T>(path: string) => readJson<T>(at.api + path, at.tokens.staff);
const idOf = (story: string) => stories.get(story)?.reservationId ?? 0;

it('every story ends as its description states', () => {
  const reached = Object.fromEntries([...stories].map(([story, { status }]) => [story, status.code]));
  expect(reached).toEqual(ends);
  expect(run.stdout).toContain('5 of 5 reservations ended as planned');
});

it('each reservation has its timeline, and the late one has the entry about its lateness', async () => {
  for (const story of Object.keys(ends)) {
    const { items } = await api<{ items: { data: Record<string, unknown> }[] }>(
      `/api/reservations/${idOf(story)}/timeline?limit=500`,
    );
    expect(items.length).toBeGreaterThan(4);
    const sawLate = items.some(({ data }) => data.status === 25);
    expect(sawLate).toBe(story === 'late');
  }
});

it('every callback has one verdict', async () => {
  type Row = { id: number; state: string; verdict: string | null };
  const rows = await eventually('every event is done', async () => {
    const { items } = await api<{ items: Row[] }>('/api/inbox?limit=500');
    return items.every(({ state }) => state === 'done') && items;
  });
  expect(rows.length).toBeGreaterThan(40);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  expect([...new Set(rows.map(({ verdict }) => verdict))].sort()).toEqual(['applied', 'duplicate']);
});

it('every command reached the platform once', async () => {
  for (const [story, operations] of Object.entries(operationsOf)) {
    const { items } = await readJson<{ items: { operation: string; effect: string }[] }>(
      `${at.sandbox}/sandbox/journal?kind=request&reservationId=${idOf(story)}&limit=500`,
      deployment.supplierKey(),
    );
    const commands = items.filter(({ operation }) => /^(dispatch|recall)/.test(operation));
    expect(commands.map(({ operation }) => operation)).toEqual(operations);
    expect(commands.every(({ effect }) => effect === 'applied')).toBe(true);
  }
});

it('metrics show the events that the relay has still to send', async () => {
  const metrics = await (await fetch(`${at.api}/metrics`)).text();
  expect(metrics).toMatch(/^handover_inbox_waiting_events 0$/m);
  expect(metrics).toMatch(/^handover_inbox_oldest_waiting_seconds 0$/m);
});

it.skipIf(!hasBrowser)(
  `by mouse: each next step is one click, with the plate on its button${withoutBrowser}`,
  async () => {
    const world = await ConsoleWorld.of(deployment, at);
    onTestFinished(() => world.browser.close());
    const { id, plate } = await world.book();
    const { page, problems } = await world.open(`/r/${id}`);
    const status = (name: string) => page.locator('.head .mark', { hasText: name }).first().waitFor(within);
    const next = (name: string) => page.locator('.head').getByRole('button', { name: `${name} ${plate}` });
    const choosePhoto = async (name: string) => {
      const chooser = page.waitForEvent('filechooser');
      await next(name).click(within);
      await (await chooser).setFiles(photo);
    };
    const assignStaff = async (name: string) => {
      await next(name).click(within);
      const form = page.getByRole('dialog');
      await form.getByLabel('Name').fill('Kim Staff');
      await form.getByLabel('Phone').fill('01000000001');
      await form.getByRole('button', { name: 'Send' }).click();
      await page.locator('.head').getByText(`${name}: applied`).waitFor(within);
    };

    await status('Booked');
    await assignStaff('Assign dispatch staff');
    // a double click acts once
    await next('Start dispatch').dblclick(within);
    await status('On the way out');
    await choosePhoto('Parking photo');
    await choosePhoto('Car photo');
    await next('Complete dispatch').click(within);
    await status('Ready for pickup');
    await world.customer(id, 'start-use');
    await status('In use');
    await world.customer(id, 'return');
    await status('Returned');
    await assignStaff('Assign recall staff');
    await choosePhoto('Return photo');
    await next('Complete recall').click(within);
    await status('Recalled');

    const { commands } = await world.ask('GET', `/api/reservations/${id}`);
    expect(commands.map(({ action }: CommandView) => action)).toEqual([
      'dispatch.staff',
      'dispatch.start',
      'dispatch.parkingImage',
      'dispatch.carImage',
      'dispatch.complete',
      'recall.staff',
      'recall.carImage',
      'recall.complete',
    ]);
    expect(commands.every(({ outcome }: CommandView) => outcome === 'applied')).toBe(true);
    // what a driver entered is text
    expect(await page.locator('.facts').getByText('<img src=x onerror=alert(1)>').count()).toBe(1);
    expect(problems).toEqual([]);
  },
  240_000,
);

it('L60: log, metrics, workflow ids and search attributes hold no personal data', async () => {
  const metrics = await (await fetch(`${at.api}/metrics`)).text();
  const connection = await connectClient(embeddedTarget(at.temporal));
  const { executions } = await connection.workflowService.listWorkflowExecutions({ namespace: 'default' });
  await connection.close();
  const plain = executions.map(({ execution, searchAttributes }) => [
    execution?.workflowId,
    Object.entries(searchAttributes?.indexedFields ?? {}).map(([name, { data }]) => [
      name,
      Buffer.from(data ?? []).toString(),
    ]),
  ]);
  expect(executions.length).toBeGreaterThanOrEqual(10);
  // not the digits of a figure: 0.010000000000000002 seconds
  const personal =
    /Demo Driver|Demo Staff|Kim Staff|onerror=|(?<![\d.])0100000000[01]\b|\b19900101\b|00-00-000000-00|Sejong-daero|demo: (on-time|late)/;
  for (const text of [deployment.log(), metrics, JSON.stringify(plain)]) {
    expect(text.length).toBeGreaterThan(500);
    expect(text).not.toMatch(personal);
  }
});

it('a second process on the same data folder is refused in one line and does not disturb the first', async () => {
  for (const command of [['up'], ['engine']]) {
    const second = deployment.run(command);
    expect(await second.ended).toBe(1);
    expect(second.stdout).toBe('');
    expect(second.stderr).toMatch(/^handover: the data folder \S+ is in use by process \d+; .*\n$/);
    expect(second.stderr).toContain(String(run.pid));
  }
  expect((await api<{ status: string }>('/readyz')).status).toBe('ready');
});

it('Ctrl-C delivered twice stops everything once, in order, and leaves no process', async () => {
  const engine = deployment.enginePid() ?? 0;
  expect(isAlive(engine)).toBe(true);
  run.signal('SIGINT');
  run.signal('SIGINT');
  expect(await run.ended).toBe(0);
  expect(run.stdout).toContain('Stopped. The next start continues here.');
  expect(run.stderr).toBe('');
  expect(isAlive(engine)).toBe(false);
  const stopped = deployment
    .log()
    .split('\n')
    .filter((line) => line.includes('"part"') && line.includes('"stopped"'))
    .map((line) => JSON.parse(line).part);
  const inOrder = ['status API and receiver', 'relay', 'workers', 'sandbox', 'database', 'embedded engine'];
  expect(stopped.filter((part) => inOrder.includes(part))).toEqual(inOrder);
});

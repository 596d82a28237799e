import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { costOf } from '../../bench/scale/cost.js';
import { figuresOf } from '../../bench/scale/figures.js';
import { isFlat, ratiosToFirst } from '../../bench/scale/flat.js';
import { readFigures } from '../../bench/scale/model/figures.js';
import { readScaleOptions } from '../../bench/scale/options.js';
import type { Phase } from '../../bench/scale/phase.js';
import { each } from '../../bench/scale/processes.js';
import { checkScalePublishable, withRows } from '../../bench/scale/publish.js';
import type { ScaleReport, SizeReport } from '../../bench/scale/report.js';
import { isSettled } from '../../bench/scale/settle.js';
import { tableOf } from '../../bench/scale/table.js';

const written = { walBytes: 4_000, rows: 40, commits: 20 };
const phase: Phase = {
  seconds: 10,
  cpu: each(() => 3_000),
  handover: written,
  temporal: written,
  others: 0.05,
};
const cost = costOf({
  phase,
  idleCores: each(() => 0.1),
  units: 4,
  history: { events: 150, cloudActions: 50 },
  grown: { handover: 8_000, temporal: 40_000 },
});

it('the cost of a lifecycle is shown with and without what the processes use while nothing happens', () => {
  expect(cost.wholeCpuMs).toEqual(each(() => 750));
  expect(cost.cpuMs).toEqual(each(() => 500));
  expect(cost).toMatchObject({ events: 150, handoverRows: 10, handoverBytes: 2_000, temporalCommits: 5 });
});

const size = (open: number, change: Partial<SizeReport> = {}): SizeReport => ({
  open,
  memoryMb: each(() => 200),
  workers: [{ heapMb: 80, cached: open, sendMs: 12 }],
  settledSeconds: 60,
  idleCores: each(() => 0.1),
  opening: { ...cost, callbacksPerSecond: 30 },
  callback: { ...cost, count: 4, callbacksPerSecond: 30 },
  lifecycle: { ...cost, count: 4, seconds: 10, actionsByName: {} },
  reads: { list: { p50: 8, p95: 12 }, board: { p50: 9, p95: 15 } },
  backlog: {
    callbacks: open,
    storedPerSecond: 100,
    acknowledgedMs: { p50: 5, p99: 20 },
    readySeconds: 3,
    firstSeconds: 4,
    seconds: 20,
    callbacksPerSecond: 50,
  },
  continued: { runs: 3, ms: 90, eventsBefore: 600, eventsAfter: 4, carriedKb: 4 },
  bytes: { handover: 1e7, temporal: 3e7 },
  others: 0.05,
  ...change,
});
const report = (...sizes: SizeReport[]): ScaleReport => ({
  machine: { cores: 2, node: 'v20', platform: 'linux', loadBefore: [0.1] },
  options: { workers: 2, lifecycles: 4, concurrency: 2 },
  sizes,
});

it('costs are flat where they differ by a fifth at most', () => {
  const dearer = size(10_000);
  dearer.lifecycle = { ...dearer.lifecycle, wholeCpuMs: each(() => 975) };
  expect(ratiosToFirst([size(1_000), dearer])).toEqual([{ open: 10_000, wholeCpu: 1.3, cpu: 1, events: 1 }]);
  expect([0.79, 0.8, 1, 1.2, 1.21].map(isFlat)).toEqual([false, true, true, true, false]);
  expect(tableOf(report(size(1_000), dearer))).toContain(
    'CPU per lifecycle 1.3 (without use while nothing happens 1), events 1: not flat',
  );
});

it('costs are not flat only because processes that work leave out what they do otherwise', () => {
  const busyWhileIdle = costOf({
    phase: { ...phase, cpu: each(() => 3_900) },
    idleCores: each(() => 0.3),
    units: 4,
    history: { events: 150, cloudActions: 50 },
    grown: { handover: 8_000, temporal: 40_000 },
  });
  const many = size(100_000);
  many.lifecycle = { ...many.lifecycle, ...busyWhileIdle };
  expect(ratiosToFirst([size(1_000), many])).toEqual([
    { open: 100_000, wholeCpu: 1.3, cpu: 0.45, events: 1 },
  ]);
  expect(tableOf(report(size(1_000), many))).toContain('not flat');
});

it('what an opening leaves to do is not measured as what the processes always do', () => {
  expect(isSettled([])).toBe(false);
  const looks = (...cores: number[]) => cores.flatMap((each) => Array.from({ length: 6 }, () => each));
  expect(isSettled(looks(1.6, 1.2))).toBe(false);
  expect(isSettled(looks(0.2, 1.5))).toBe(false);
  expect(isSettled(looks(1.6, 0.2))).toBe(false);
  expect(isSettled(looks(1.6, 0.2, 0.22))).toBe(true);
  expect(isSettled(looks(1.6, 0.04))).toBe(true);
  expect(isSettled(Array.from({ length: 120 }, (_, index) => 120 - index))).toBe(true);
});

it.each([
  ['other programs took more than a tenth', 0.11, 'other programs load the machine'],
  ['the load is not known', null, 'the load by other programs is not known'],
])('figures are not published where %s', (_, others, reason) => {
  expect(() => checkScalePublishable(report(size(1_000)))).not.toThrow();
  expect(() => checkScalePublishable(report(size(1_000), size(10_000, { others })))).toThrow(reason);
});

it('docs/scale.md has the table for published figures, a row of each size and number of workers', () => {
  const page = readFileSync('docs/scale.md', 'utf8');
  const once = withRows(page, report(size(123_456)));
  expect(once.split('\n').filter((row) => row.startsWith('| 123,456 | 2 |'))).toHaveLength(1);
  expect(withRows(once, report(size(123_456)))).toBe(once);
  const [head = '', row = ''] = once.split('\n').filter((one) => /^\| (open|123,456) \|/.test(one));
  expect(row.split('|')).toHaveLength(head.split('|').length);
  expect(() => withRows('a page', report(size(1)))).toThrow('no table of sizes');
});

it('a report is what the model reads of a machine: callbacks of a full cache, the most that was stored, everything else beside the most that is open', async () => {
  const few = size(1_000, {
    callback: { ...cost, events: 7, handoverBytes: 9_000, count: 4, callbacksPerSecond: 80 },
    lifecycle: { ...cost, handoverBytes: 9_000, count: 4, seconds: 10, actionsByName: {} },
  });
  const many = size(100_000, { workers: [{ heapMb: 80, cached: 1_000, sendMs: 90 }], others: 0.2 });
  const known = await readFigures();
  const figures = figuresOf(report(few, many), known, { command: 'npm run bench -- scale', commit: 'abc' });
  expect(Object.keys(figures).sort()).toEqual(Object.keys(known).sort());
  expect(figures.callback.value).toMatchObject({ events: 7, cpuMs: each(() => 500) });
  expect(figures.callback.measured).toBe(
    'abc, 4 callbacks with 1,000 open; bytes stored: the most of 1,000, 100,000 open, 2 workers, 2 cores; other programs took 20 % of the machine at most',
  );
  expect(figures.coldCallback.value).toMatchObject({ events: 150, handoverBytes: 9_000 });
  expect(figures.lifecycle.value).toMatchObject({ callbacks: 12, actions: 8, events: 150 });
  expect(figures.lifecycle.value, 'the most that was stored').toMatchObject({
    handoverBytes: 9_000,
    temporalBytes: 10_000,
  });
  expect(figures.lifecycle.measured).toContain('20 % of the machine');
  expect(figures.lifecycle.value).not.toHaveProperty('wholeCpuMs');
  expect(figures.idleCores.value.map(({ open }) => open)).toEqual([1_000, 100_000]);
  expect(figures.memoryMb.value).toEqual({
    api: 200,
    worker: [{ at: 1_000, value: 200 }],
    temporal: [
      { at: 1_000, value: 200 },
      { at: 100_000, value: 200 },
    ],
  });
  expect(figures.sendMs.value).toBe(12);
  expect(figures.priceTiers).toBe(known.priceTiers);
});

it('sizes grow, because one deployment grows from each to the next', () => {
  const sizesOf = (...args: string[]) =>
    readScaleOptions(args).sizes.map(({ open, backlog }) => [open, backlog]);
  expect(sizesOf('--open', '100,1000')).toEqual([
    [100, 100],
    [1_000, 1_000],
  ]);
  expect(sizesOf('--open', '100,1000', '--backlog', '7')).toEqual([
    [100, 7],
    [1_000, 7],
  ]);
  expect(sizesOf('--open', '100,1000', '--backlog', '7,8')[1]).toEqual([1_000, 8]);
  expect(() => sizesOf('--open', '1,2,3', '--backlog', '7,8')).toThrow('--backlog has one number');
  expect(() => readScaleOptions(['--open', '1000,100'])).toThrow('--open grows');
  expect(() => readScaleOptions(['--workers', '0'])).toThrow('--workers is a whole number from 1 on');
});

import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { type Cost, scalars } from '../../bench/scale/cost.js';
import { dailyCurve, poissonArrivals } from '../../bench/scale/model/arrivals.js';
import { cloudPlan } from '../../bench/scale/model/cloud.js';
import { callbackCost, reservationCost } from '../../bench/scale/model/costs.js';
import { type Figure, type Figures, readFigures } from '../../bench/scale/model/figures.js';
import { peakRates } from '../../bench/scale/model/fleet.js';
import { growing, valueAt } from '../../bench/scale/model/line.js';
import { help, readModelOptions } from '../../bench/scale/model/options.js';
import { outputOf } from '../../bench/scale/model/output.js';
import { partitionAdvice, planFor, relayCapacity } from '../../bench/scale/model/plan.js';
import { randomFrom } from '../../bench/scale/model/random.js';
import { runModel } from '../../bench/scale/model/result.js';
import { capacity, drainSeconds, type Stage, simulate } from '../../bench/scale/model/simulate.js';
import { each } from '../../bench/scale/processes.js';

const measured = await readFigures();
const optionsOf = (...args: string[]) => {
  const options = readModelOptions(args);
  if (options === null) throw new Error('no options');
  return options;
};
const modelOf = (...args: string[]) => modelBy(measured, ...args);
const modelBy = (figures: Figures, ...args: string[]) =>
  runModel(figures, optionsOf('--minutes', '0.1', ...args));

it('each figure names the command that measured it, which exists, and where', async () => {
  const benches = await readFile('scripts/bench.mjs', 'utf8');
  for (const [name, { command, measured: where }] of Object.entries(measured) as [
    string,
    Figure<unknown>,
  ][]) {
    const bench = /^npm run bench -- ([\w-]+)/.exec(command)?.[1];
    if (bench === undefined) expect(command, name).toMatch(/^https:\/\//);
    else expect(benches, name).toContain(`'${bench}'`);
    expect(where, name).not.toBe('');
  }
});

it('docs/scale.md shows what the model derives from the figures', async () => {
  const page = await readFile('docs/scale.md', 'utf8');
  const shown = [...page.matchAll(/```\n\$ npm run bench -- scale-model (.+)\n([\s\S]+?)\n```/g)];
  expect(shown.length).toBeGreaterThan(1);
  for (const [, args = '', output] of shown) {
    const options = optionsOf(...args.split(' '));
    expect(output, args).toBe(outputOf(runModel(measured, options), options));
  }
});

it('the help lists every option, and a wrong one is refused with it', () => {
  expect(readModelOptions(['--help'])).toBeNull();
  for (const name of ['--open', '--peak', '--price', '--figures']) expect(help()).toContain(name);
  expect(() => readModelOptions(['--open', 'many'])).toThrow('--open is a number, not many');
  expect(() => readModelOptions(['--utilisation', '0'])).toThrow('above 0');
});

it('doubling the reservations a day doubles actions, writes and price', () => {
  const [one, two] = ['5000', '10000'].map((perDay) =>
    modelOf('--per-day', perDay, '--price', '50', '--checks', '0'),
  );
  const ratio = (read: (result: typeof one) => number | undefined) => (read(two) ?? 0) / (read(one) ?? 1);
  expect(ratio((result) => result?.cloud.actionsPerMonth)).toBeCloseTo(2);
  expect(ratio((result) => result?.cloud.dollarsPerMonth)).toBeCloseTo(2);
  expect(ratio((result) => result?.cloud.peakPerSecond)).toBeCloseTo(2);
  expect(ratio((result) => result?.plan.handoverDatabase.rowsPerSecond)).toBeCloseTo(2);
  expect(ratio((result) => result?.plan.temporalDatabase.commitsPerSecond)).toBeCloseTo(2);
});

it('more open reservations cost storage and memory, and no actions', () => {
  const [few, many] = ['1000', '100000'].map((open) =>
    modelBy(figuresOfParts(), '--open', open, '--per-day', '500', '--checks', '0'),
  );
  expect(many?.cloud).toEqual(few?.cloud);
  expect(many?.plan.handoverDatabase.gb).toBeGreaterThan(few?.plan.handoverDatabase.gb ?? 0);
  expect(many?.plan.worker.mbEach).toBeGreaterThan(few?.plan.worker.mbEach ?? 0);
});

it.each([
  ['figures of a test', figuresOfParts()],
  ['the published figures', measured],
])('a reservation like the measured lifecycle costs what was measured: %s', (_, figures) => {
  const { callbacks, actions, ...cost } = figures.lifecycle.value;
  const again = reservationCost(figures, { open: 2_000, callbacks, actions });
  for (const name of scalars) expect(again[name], name).toBeCloseTo(cost[name]);
  expect(again.cpuMs.worker).toBeCloseTo(cost.cpuMs.worker);
});

it('where caches do not hold what is open, callbacks and actions replay their histories first', () => {
  const parts = figuresOfParts();
  const cpuOf = (open: number, callbacks = 12, actions = 8) =>
    reservationCost(parts, { open, callbacks, actions }).cpuMs.worker;
  expect(callbackCost(parts, 2_000).cpuMs.worker).toBe(2);
  expect(callbackCost(parts, 4_000).cpuMs.worker).toBe(4);
  expect(callbackCost(parts, 2e9).cpuMs.worker).toBeCloseTo(6);
  expect(cpuOf(4_000) - cpuOf(2_000)).toBeCloseTo(18 * 2);
});

it('what was measured with several numbers lies on the lines between them', () => {
  const points = [
    { at: 1_000, value: 10 },
    { at: 10_000, value: 100 },
    { at: 100_000, value: 550 },
  ];
  expect([1, 1_000, 5_500, 10_000, 55_000, 100_000, 1_000_000].map((at) => valueAt(points, at))).toEqual([
    10, 10, 55, 100, 325, 550, 5_050,
  ]);
  expect(valueAt([{ at: 5, value: 7 }], 100)).toBe(7);
  const falls = [
    { at: 1, value: 2 },
    { at: 2, value: 1 },
  ];
  expect(valueAt(falls, 10), 'noise is no trend').toBe(1);
  const noisy = [1_000, 999, 1_000, 1_001].map((at) => ({ at, value: 1 }));
  expect(growing(noisy).map(({ at }) => at)).toEqual([1_000, 1_001]);
});

it('memory and idle use grow with what is open', () => {
  const [few, many] = ['1000', '1000000'].map(
    (open) => modelBy(figuresOfParts(), '--open', open, '--per-day', '500').plan,
  );
  expect(many?.temporalMb).toBeGreaterThan(few?.temporalMb ?? Number.POSITIVE_INFINITY);
  expect(many?.cores.temporal).toBeGreaterThan(few?.cores.temporal ?? Number.POSITIVE_INFINITY);
});

it('the price list has volume tiers, and --price none of them', () => {
  const fleet = optionsOf('--open', '100000').fleet;
  const listed = cloudPlan(measured, fleet, null, 0);
  const flat = cloudPlan(measured, fleet, 50, 0);
  expect(flat.dollarsPerMonth).toBeCloseTo((flat.actionsPerMonth / 1e6) * 50);
  expect(listed.dollarsPerMonth).toBeLessThan(flat.dollarsPerMonth);
  expect(listed.actionsPerMonth).toBe(flat.actionsPerMonth);
});

it('each check of lists queries every open reservation, two a second at most', () => {
  const { fleet } = optionsOf('--open', '1000');
  expect(cloudPlan(measured, fleet, 50, 8).ofWhichChecks).toBe(8_000);
  const large = cloudPlan(measured, { ...fleet, open: 1e9 }, 50, 30);
  expect(large.ofWhichChecks).toBe(2 * 30 * 86_400);
});

it('callbacks beyond those of the reservations need more relays, then more installations', () => {
  const plans = ['100', '2000', '10000', '20000'].map((rate) => {
    const { fleet, plan } = optionsOf('--callbacks-per-second', rate);
    return planFor(measured, fleet, plan);
  });
  for (const [index, { relay, worker, cells }] of plans.entries()) {
    expect(worker.processes).toBeGreaterThanOrEqual(plans[index - 1]?.worker.processes ?? 0);
    expect(relay.perShard * relay.shardsInUse).toBeCloseTo(relay.callbacksPerSecond);
    expect(cells).toBeGreaterThanOrEqual(plans[index - 1]?.cells ?? 1);
  }
  expect(plans[0]?.cells).toBe(1);
  expect(plans.at(-1)?.cells).toBeGreaterThan(1);
});

it('a relay carries what its sends under way allow, and no more than its signals without a verdict', () => {
  const parts = { ...figuresOfParts(), relayPerSecond: { ...measured.relayPerSecond, value: 1e6 } };
  expect(relayCapacity(parts, 1_000, 400)).toBeCloseTo(16 / 0.4);
  // sent in 6 ms, judged in 4 (Temporal, its database, a worker), read within 70
  expect(relayCapacity(parts, 1_000, 6)).toBeCloseTo(64 / 0.08);
});

it('partitions are advised from the size on that memory does not hold', () => {
  expect(partitionAdvice(64, 64)).toBe('none');
  expect(partitionAdvice(65, 64)).toContain('by month');
});

it('the day has the mean and the peak that were wanted', () => {
  for (const peak of [1, 2, 4, 10]) {
    const curve = dailyCurve(peak);
    const hours = Array.from({ length: 240 }, (_, index) => curve((index + 0.5) * 360));
    expect(hours.reduce((sum, value) => sum + value, 0) / hours.length).toBeCloseTo(1, 2);
    expect(Math.max(...hours)).toBeCloseTo(peak, 1);
  }
});

it('arrivals come at the rate of their curve', () => {
  const arrivals = poissonArrivals(randomFrom(7), 1_000, 20, (second) => (second < 500 ? 5 : 20));
  const early = arrivals.filter((at) => at < 500).length;
  expect(early / 500).toBeCloseTo(5, 0);
  expect((arrivals.length - early) / 500).toBeGreaterThan(19);
  expect(arrivals).toEqual(arrivals.toSorted((a, b) => a - b));
});

const stages: Stage[] = [
  { name: 'receiver', servers: 2, seconds: { callback: 0.002, action: 0.001 } },
  { name: 'relay', servers: 16, seconds: { callback: 0.02, action: 0 }, waitsUpTo: 0.3 },
  { name: 'workers', servers: 2, seconds: { callback: 0.01, action: 0.02 } },
];
const at = (callback: number, action = 0, backlog = 0) =>
  simulate({
    stages,
    rateAt: () => ({ callback, action }),
    most: { callback, action },
    seconds: 120,
    backlog,
  });

it('below saturation the delay is small and does not grow, above it grows', () => {
  expect(capacity(stages, 0)).toEqual({ name: 'workers', perSecond: 200 });
  const below = at(120);
  expect(below.p99).toBeLessThan(1);
  expect(below.growth).toBeLessThan(1.5);
  expect(below.within5s).toBe(1);
  const above = at(260);
  expect(above.growth).toBeGreaterThan(5);
  expect(above.within5s).toBeLessThan(0.5);
});

it('staff actions take capacity from callbacks', () => {
  expect(capacity(stages, 50).perSecond).toBeCloseTo(100);
  expect(at(150).growth).toBeLessThan(1.5);
  expect(at(150, 50).growth).toBeGreaterThan(3);
});

it('a backlog drains in the time that the rate gives', () => {
  const { backlogSeconds } = at(0, 0, 4_000);
  expect(backlogSeconds).toBeGreaterThan(0.9 * drainSeconds(4_000, 200, 0));
  expect(backlogSeconds).toBeLessThan(1.1 * drainSeconds(4_000, 200, 0));
  expect(drainSeconds(4_000, 200, 120)).toBe(50);
  expect(drainSeconds(4_000, 200, 200)).toBe(Number.POSITIVE_INFINITY);
});

it('the same seed simulates the same day', () => {
  expect(at(120)).toEqual(at(120));
  expect(peakRates(optionsOf('--open', '14000').fleet)).toMatchObject({ further: 0 });
});

/** Costs of round numbers, in which no part is above the whole. */
function figuresOfParts(): Figures {
  const cost = (times: number): Cost => ({
    ...(Object.fromEntries(scalars.map((name, index) => [name, times * (index + 1)])) as Omit<Cost, 'cpuMs'>),
    cpuMs: { api: times, worker: 2 * times, temporal: times, handoverDb: times, temporalDb: times },
  });
  return {
    ...measured,
    opening: { ...measured.opening, value: cost(3) },
    callback: { ...measured.callback, value: cost(1) },
    coldCallback: { ...measured.coldCallback, value: { ...cost(1), cpuMs: cost(3).cpuMs } },
    lifecycle: { ...measured.lifecycle, value: { ...cost(40), callbacks: 12, actions: 8 } },
    idleCores: {
      ...measured.idleCores,
      value: [1_000, 100_000].map((open) => ({ open, cores: each(() => open / 1e6) })),
    },
    memoryMb: {
      ...measured.memoryMb,
      value: {
        api: 150,
        worker: [500, 1_000].map((at) => ({ at, value: at })),
        temporal: [1_000, 100_000].map((at) => ({ at, value: at / 20 })),
      },
    },
  };
}

import { dailyCurve } from './arrivals.js';
import { type CloudPlan, cloudPlan } from './cloud.js';
import type { Figures } from './figures.js';
import { meanRates, peakRates, type Rates } from './fleet.js';
import type { ModelOptions } from './options.js';
import { daysUntil, type Plan, planFor } from './plan.js';
import { capacity, type Delays, drainSeconds, simulate } from './simulate.js';
import { stationsOf } from './stations.js';

export interface ModelResult {
  mean: Rates;
  peak: Rates;
  plan: Plan;
  daysUntilPartitions: number;
  cloud: CloudPlan;
  /** Of callbacks around the peak, through the planned processes. */
  delays: Delays;
  narrowest: { name: string; perSecond: number };
  /** After an outage of all workers at the peak. */
  outage: { minutes: number; callbacks: number; drainSeconds: number };
}

const noon = 43_200;
/** More arrivals are not simulated: the period is shortened. */
const mostJobs = 500_000;

export function runModel(figures: Figures, options: ModelOptions): ModelResult {
  const { fleet } = options;
  const [mean, peak] = [meanRates(fleet), peakRates(fleet)];
  const plan = planFor(figures, fleet, options.plan);
  const stages = stationsOf(figures, plan, { open: fleet.open, utilisation: options.plan.utilisation });
  const seconds = Math.min(options.minutes * 60, mostJobs / (peak.callbacks + peak.actions));
  const curve = dailyCurve(fleet.peakFactor);
  const shareAt = (second: number) => curve(noon - seconds / 2 + second) / fleet.peakFactor;
  const delays = simulate({
    stages,
    seconds,
    most: { callback: peak.callbacks, action: peak.actions },
    rateAt: (second) => ({
      callback: peak.callbacks * shareAt(second),
      action: peak.actions * shareAt(second),
    }),
  });
  const narrowest = capacity(stages, peak.actions);
  const backlog = peak.callbacks * options.outageMinutes * 60;
  return {
    mean,
    peak,
    plan,
    daysUntilPartitions: daysUntil(figures, fleet, plan.cells * options.plan.databaseMemoryGb),
    cloud: cloudPlan(figures, fleet, options.price, options.checks),
    delays,
    narrowest,
    outage: {
      minutes: options.outageMinutes,
      callbacks: Math.round(backlog),
      drainSeconds: drainSeconds(backlog, narrowest.perSecond, peak.callbacks),
    },
  };
}

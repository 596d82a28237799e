import type { Cost } from '../cost.js';
import { type ByComponent, each } from '../processes.js';
import { sumOf } from './arithmetic.js';
import { callbackCost, reservationCost } from './costs.js';
import type { Figures } from './figures.js';
import { type Fleet, meanRates, peakRates, type Rates } from './fleet.js';
import { valueAt } from './line.js';

/** What a fleet asks of all processes and databases in one second. */
export type Demand = Cost;

export function meanDemand(figures: Figures, fleet: Fleet): Demand {
  return demandOf(figures, fleet, meanRates(fleet));
}

export function peakDemand(figures: Figures, fleet: Fleet): Demand {
  return demandOf(figures, fleet, peakRates(fleet));
}

/** Cores of all processes of each kind, with what they use while nothing happens and so many reservations are open. */
export function coresOf({ cpuMs }: Demand, { idleCores }: Figures, open: number): ByComponent {
  return each((name) => {
    const idle = idleCores.value.map(({ open: at, cores }) => ({ at, value: cores[name] }));
    return cpuMs[name] / 1000 + valueAt(idle, open);
  });
}

function demandOf(figures: Figures, fleet: Fleet, rates: Rates): Demand {
  return sumOf([
    [rates.reservations, reservationCost(figures, fleet)],
    [rates.further, callbackCost(figures, fleet.open)],
  ]);
}

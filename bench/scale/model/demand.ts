import type { Cost } from '../cost.js';
import { type ByComponent, each } from '../processes.js';
import { sumOf } from './arithmetic.js';
import { reservationCost } from './costs.js';
import type { Figures } from './figures.js';
import { type Fleet, meanRates, peakRates, type Rates } from './fleet.js';

/** What a fleet asks of all processes and databases in one second. */
export type Demand = Cost;

export function meanDemand(figures: Figures, fleet: Fleet): Demand {
  return demandOf(figures, fleet, meanRates(fleet));
}

export function peakDemand(figures: Figures, fleet: Fleet): Demand {
  return demandOf(figures, fleet, peakRates(fleet));
}

/** Cores of all processes of each kind, with what they use while nothing happens. */
export function coresOf({ cpuMs }: Demand, figures: Figures): ByComponent {
  return each((name) => cpuMs[name] / 1000 + figures.idleCores.value[name]);
}

function demandOf(figures: Figures, { callbacks, actions }: Fleet, rates: Rates): Demand {
  return sumOf([
    [rates.reservations, reservationCost(figures, callbacks, actions)],
    [rates.further, figures.callback.value],
  ]);
}

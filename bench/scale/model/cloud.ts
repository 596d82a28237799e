import { usualPace } from '../../../src/store/reservations/row-check-plan.js';
import { callbackCost, reservationCost } from './costs.js';
import type { Figures } from './figures.js';
import { type Fleet, meanRates, peakRates } from './fleet.js';

/** Actions a second that one namespace of Temporal Cloud takes at first, and with each further resource unit. */
const perUnit = 500;
const secondsPerMonth = 30 * 86_400;
const million = 1_000_000;

export interface CloudPlan {
  actionsPerReservation: number;
  /** Of those, queries: one for each read of one reservation. */
  ofWhichReads: number;
  dollarsPerReservation: number;
  actionsPerMonth: number;
  dollarsPerMonth: number;
  /** Of the actions of a month: queries of open reservations by the check of lists. */
  ofWhichChecks: number;
  /** Actions a second at the peak, and the units of 500 that they need in one namespace. */
  peakPerSecond: number;
  units: number;
}

/**
 * @param price dollars per million actions; null: by the tiers of the price list
 * @param checks of lists in a month: each queries every open reservation once
 */
export function cloudPlan(figures: Figures, fleet: Fleet, price: number | null, checks: number): CloudPlan {
  const { cloudActions } = reservationCost(figures, fleet);
  const each = cloudActions + fleet.reads;
  const ofReservations = meanRates(fleet).reservations * secondsPerMonth * each;
  // one worker of all does it, a whole month at most
  const ofWhichChecks = Math.min(checks * fleet.open, (1000 / usualPace.usualMs) * secondsPerMonth);
  const actionsPerMonth = ofReservations + ofWhichChecks;
  const dollarsPerMonth =
    price === null ? tiered(figures, actionsPerMonth) : (actionsPerMonth / million) * price;
  const peak = peakRates(fleet);
  const peakPerSecond =
    peak.reservations * each + peak.further * callbackCost(figures, fleet.open).cloudActions;
  return {
    actionsPerReservation: each,
    ofWhichReads: fleet.reads,
    dollarsPerReservation: actionsPerMonth === 0 ? 0 : (dollarsPerMonth / actionsPerMonth) * each,
    actionsPerMonth,
    ofWhichChecks,
    dollarsPerMonth,
    peakPerSecond,
    units: Math.max(1, Math.ceil(peakPerSecond / perUnit)),
  };
}

/** Above the last tier prices are negotiated: the last one is an upper bound. */
function tiered({ priceTiers }: Figures, actions: number): number {
  let dollars = 0;
  let from = 0;
  for (const { upToMillions, dollars: price } of priceTiers.value) {
    const to = upToMillions === null ? Number.POSITIVE_INFINITY : upToMillions * million;
    dollars += (Math.max(Math.min(actions, to) - from, 0) / million) * price;
    from = to;
  }
  return dollars;
}

import { exponential } from './random.js';

const day = 86_400;

/**
 * A day's curve: its mean is 1, its highest value is `peakFactor`, at noon. A raised cosine to the power that gives that
 * mean; 1 is a day without a curve.
 */
export function dailyCurve(peakFactor: number): (second: number) => number {
  const at = (second: number, power: number) => ((1 - Math.cos((2 * Math.PI * second) / day)) / 2) ** power;
  let [low, high] = [0, 1_000];
  for (let step = 0; step < 60; step++) {
    const power = (low + high) / 2;
    if (1 / mean((second) => at(second, power)) < peakFactor) low = power;
    else high = power;
  }
  return (second) => peakFactor * at(second, low);
}

/**
 * Instants of a Poisson process whose rate follows a curve, in seconds from the start, by thinning.
 * @param most at least the highest rate of the period
 */
export function poissonArrivals(
  random: () => number,
  seconds: number,
  most: number,
  rateAt: (second: number) => number,
): number[] {
  const arrivals: number[] = [];
  if (most <= 0) return arrivals;
  for (let at = exponential(random, 1 / most); at < seconds; at += exponential(random, 1 / most)) {
    if (random() * most <= rateAt(at)) arrivals.push(at);
  }
  return arrivals;
}

function mean(curve: (second: number) => number): number {
  const steps = 1_440;
  let sum = 0;
  for (let step = 0; step < steps; step++) sum += curve(((step + 0.5) * day) / steps);
  return sum / steps;
}

/** A fleet as an operator knows it. */
export interface Fleet {
  /** Open reservations. */
  open: number;
  reservationsPerDay: number;
  /** Of each reservation, over its life. */
  callbacks: number;
  actions: number;
  /** Reads of one reservation, each a query of its workflow. */
  reads: number;
  /** The busiest time of the day to the mean of the day. */
  peakFactor: number;
  /** Callbacks a second at the peak, where more come than the reservations explain; null: what they explain. */
  callbacksPerSecond: number | null;
}

/** Per second. */
export interface Rates {
  reservations: number;
  callbacks: number;
  /** Of those, callbacks that the reservations do not explain. */
  further: number;
  actions: number;
  reads: number;
}

const secondsPerDay = 86_400;

export function meanRates({ reservationsPerDay, callbacks, actions, reads }: Fleet): Rates {
  const reservations = reservationsPerDay / secondsPerDay;
  return {
    reservations,
    callbacks: reservations * callbacks,
    further: 0,
    actions: reservations * actions,
    reads: reservations * reads,
  };
}

export function peakRates(fleet: Fleet): Rates {
  const mean = meanRates(fleet);
  const atPeak = (rate: number) => rate * fleet.peakFactor;
  const explained = atPeak(mean.callbacks);
  const callbacks = Math.max(fleet.callbacksPerSecond ?? 0, explained);
  return {
    reservations: atPeak(mean.reservations),
    callbacks,
    further: callbacks - explained,
    actions: atPeak(mean.actions),
    reads: atPeak(mean.reads),
  };
}

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Cost } from '../cost.js';
import type { ByComponent } from '../processes.js';

/** A measured value, the command that measured it, and on which machine under which load. */
export interface Figure<T> {
  value: T;
  command: string;
  measured: string;
}

/** What the model knows of Handover: only what a bench has measured. */
export interface Figures {
  /** A registration on both channels, the first of its reservation. */
  opening: Figure<Cost>;
  /** A callback alone in its signal: the dearest way to send one. */
  callback: Figure<Cost>;
  /** A whole reservation with its booking, of so many callbacks and staff actions. */
  lifecycle: Figure<Cost & { callbacks: number; actions: number }>;
  /** Cores of two api, two workers, and the servers, while nothing happens. */
  idleCores: Figure<ByComponent>;
  /** Of one process, a worker with so many workflows in its cache. */
  memory: Figure<{ apiMb: number; workerMb: number; cached: number; temporalMb: number }>;
  /** Resident memory of a worker for each workflow in its cache. */
  residentPerCachedKb: Figure<number>;
  /** How much slower callbacks are applied whose workflows are in no cache: each replays a history. */
  coldFactor: Figure<number>;
  /** Callbacks a second that the relay of one worker brings to a Temporal server that answers after 20 ms. */
  relayPerSecond: Figure<number>;
  /** Milliseconds of one send of the relay. */
  sendMs: Figure<number>;
  /** Price list of Temporal Cloud: dollars per million actions up to so many millions in a month. */
  priceTiers: Figure<{ upToMillions: number | null; dollars: number }[]>;
}

const ours = fileURLToPath(new URL('../figures.json', import.meta.url));

/** @param file figures of a machine of your own; absent: those of bench/scale/figures.json */
export async function readFigures(file = ours): Promise<Figures> {
  return JSON.parse(await readFile(file, 'utf8')) as Figures;
}

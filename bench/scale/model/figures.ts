import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Cost } from '../cost.js';
import type { ByComponent } from '../processes.js';
import type { Point } from './line.js';

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
  /** A callback alone in its signal, the dearest way to send one, whose workflow is in the cache of a worker. */
  callback: Figure<Cost>;
  /** The same, where few workflows are in a cache: each replays its history. */
  coldCallback: Figure<Cost>;
  /** A whole reservation with its booking, of so many callbacks and staff actions; its workflow is in a cache. */
  lifecycle: Figure<Cost & { callbacks: number; actions: number }>;
  /** Cores of two api, two workers, and the servers, while nothing happens, with so many open. */
  idleCores: Figure<{ open: number; cores: ByComponent }[]>;
  /** MB of one api; of one worker, by the workflows in its cache; of Temporal, by open reservations. */
  memoryMb: Figure<{ api: number; worker: Point[]; temporal: Point[] }>;
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

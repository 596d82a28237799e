import { parseArgs } from 'node:util';
import { counter } from '../count.js';

export interface ScaleOptions {
  /** One deployment grows from each to the next. */
  sizes: Size[];
  workers: number;
  /** Whole lifecycles beside the open reservations. */
  lifecycles: number;
  /** Lifecycles in progress at once. */
  concurrency: number;
  /** Reads of list and board. */
  reads: number;
  idleSeconds: number;
  /** File for the report. */
  json: string | undefined;
  /** File for the figures of `scale-model --figures`. */
  figures: string | undefined;
  publish: boolean;
}

export interface Size {
  /** Open reservations. */
  open: number;
  /** Callbacks that are stored while no worker runs. */
  backlog: number;
}

const usage = `npm run bench -- scale [--open 1000[,10000,…]] [--workers 1|2|4] [--backlog N[,N,…]] [--lifecycles 60] [--concurrency 4] [--reads 100] [--idle 60] [--json FILE] [--figures FILE] [--publish]`;
const count = counter(usage);

/** @throws Error with the usage where an argument is not valid */
export function readScaleOptions(args: string[]): ScaleOptions {
  const { values } = parseArgs({
    args,
    options: {
      open: { type: 'string', default: '1000' },
      workers: { type: 'string', default: '2' },
      backlog: { type: 'string' },
      lifecycles: { type: 'string', default: '60' },
      concurrency: { type: 'string', default: '4' },
      reads: { type: 'string', default: '100' },
      idle: { type: 'string', default: '60' },
      json: { type: 'string' },
      figures: { type: 'string' },
      publish: { type: 'boolean', default: false },
    },
  });
  const open = values.open.split(',').map((text) => count('open', text, 1));
  if (open.some((size, index) => size <= (open[index - 1] ?? 0)))
    throw new Error(`--open grows from size to size\n${usage}`);
  const backlogs = values.backlog?.split(',').map((text) => count('backlog', text, 1)) ?? [];
  if (![0, 1, open.length].includes(backlogs.length))
    throw new Error(`--backlog has one number, or one for each of --open\n${usage}`);
  return {
    sizes: open.map((size, index) => ({ open: size, backlog: backlogs[index] ?? backlogs[0] ?? size })),
    workers: count('workers', values.workers, 1),
    lifecycles: count('lifecycles', values.lifecycles, 1),
    concurrency: count('concurrency', values.concurrency, 1),
    reads: count('reads', values.reads, 1),
    idleSeconds: count('idle', values.idle, 1),
    json: values.json,
    figures: values.figures,
    publish: values.publish,
  };
}

import { parseArgs } from 'node:util';
import { counter } from './count.js';

export interface BenchOptions {
  /** Lifecycles of each side in each round. */
  lifecycles: number;
  /** Lifecycles in progress at once. */
  concurrency: number;
  rounds: number;
  /** Lifecycles of each side before the first round, which are not measured: V8 compiles what runs often for two minutes. */
  warmUp: number;
  json: boolean;
  /** Folder for CPU profiles (`--cpu-prof`) of the programs. */
  cpuProf: string | undefined;
  /** A commit or tag whose build is measured in the same rounds. */
  compare: string | undefined;
  /** Product and compared build have a database each on the server of HANDOVER_TEST_DATABASE_URL. */
  postgres: boolean;
  /** Writes the medians to docs/performance.md. Refused where other programs load the machine. */
  publish: boolean;
}

const usage = `npm run bench -- [--lifecycles 40] [--concurrency 20] [--rounds 4] [--warm-up 400] [--compare commit] [--postgres] [--publish] [--json] [--cpu-prof folder]`;
const count = counter(usage);

/** @throws Error with the usage where an argument is not valid */
export function readOptions(args: string[]): BenchOptions {
  const { values } = parseArgs({
    args,
    options: {
      lifecycles: { type: 'string', default: '40' },
      concurrency: { type: 'string', default: '20' },
      rounds: { type: 'string' },
      'warm-up': { type: 'string', default: '400' },
      compare: { type: 'string' },
      postgres: { type: 'boolean', default: false },
      publish: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      'cpu-prof': { type: 'string' },
    },
  });
  if (values.publish && values.postgres)
    throw new Error('--publish is of the embedded database: leave out --postgres');
  return {
    lifecycles: count('lifecycles', values.lifecycles, 1),
    concurrency: count('concurrency', values.concurrency, 1),
    // each side has each place of a round equally often
    rounds: count('rounds', values.rounds ?? (values.compare === undefined ? '4' : '3'), 1),
    warmUp: count('warm-up', values['warm-up'], 0),
    json: values.json,
    cpuProf: values['cpu-prof'],
    compare: values.compare,
    postgres: values.postgres,
    publish: values.publish,
  };
}

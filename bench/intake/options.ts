import { parseArgs } from 'node:util';
import { counter } from '../count.js';
import { allDatabases, type Database, databasesOf } from '../place.js';

export interface IntakeOptions {
  /** Duration of each fixed rate. */
  seconds: number;
  /** Callbacks of each side at saturation. */
  saturation: number;
  /** Callbacks that wait after the outage; 0: none. */
  drain: number;
  /** Callbacks during which memory is measured; 0: none. */
  flat: number;
  connections: number;
  databases: Database[];
  /** Measures only callbacks under attack. */
  flood: boolean;
  json: boolean;
  cpuProf: string | undefined;
}

const usage = `npm run bench:intake -- [--seconds 20] [--saturation 20000] [--drain 20000] [--flat 0] [--connections 64]
  [--databases ${allDatabases}] [--flood] [--json] [--cpu-prof folder]`;
const count = counter(usage);

/** @throws Error with the usage where an argument is not valid */
export function readIntakeOptions(args: string[]): IntakeOptions {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '20' },
      saturation: { type: 'string', default: '20000' },
      drain: { type: 'string', default: '20000' },
      flat: { type: 'string', default: '0' },
      connections: { type: 'string', default: '64' },
      databases: { type: 'string', default: allDatabases },
      flood: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      'cpu-prof': { type: 'string' },
    },
  });
  return {
    seconds: count('seconds', values.seconds, 1),
    saturation: count('saturation', values.saturation, 1),
    drain: count('drain', values.drain, 0),
    flat: count('flat', values.flat, 0),
    connections: count('connections', values.connections, 1),
    databases: databasesOf(values.databases, usage),
    flood: values.flood,
    json: values.json,
    cpuProf: values['cpu-prof'],
  };
}

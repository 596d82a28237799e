#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { describeFailure } from './run/failure.js';

const help = `handover <command>

  up [--no-demo]   everything in one process: engine, database, sandbox, worker, status API (npm start)
  worker           worker and relay of a cluster           (needs DATABASE_URL, PLATFORM_BASE_URL)
  api              receiver and status API of a cluster    (needs DATABASE_URL, HANDOVER_TOKENS)
  sandbox          the platform alone
  engine           the embedded Temporal alone

Settings come from the environment: see the README.
`;

try {
  await main(process.argv.slice(2));
  process.exit(0);
} catch (error) {
  process.stderr.write(`${describeFailure(error)}\n`);
  process.exit(1);
}

async function main(argv: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      'no-demo': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const [command = 'help', ...rest] = positionals;
  if (rest.length > 0) throw new Error(`${rest.join(' ')}: handover ${command} takes no further words`);
  if (values['no-demo'] && command !== 'up') throw new Error('--no-demo belongs to `handover up`');
  const { env } = process;
  // Each command loads its own part alone: `handover sandbox` needs no Temporal.
  switch (values.help ? 'help' : command) {
    case 'up':
      return (await import('./run/up.js')).up({ demo: !values['no-demo'], env });
    case 'worker':
      return (await import('./run/worker.js')).worker(env);
    case 'api':
      return (await import('./run/api.js')).api(env);
    case 'sandbox':
      return (await import('./run/sandbox.js')).sandbox(env);
    case 'engine':
      return (await import('./run/engine.js')).engine(env);
    case 'help':
      process.stdout.write(help);
      return;
    default:
      throw new Error(`there is no command ${command}; \`handover help\` lists them`);
  }
}

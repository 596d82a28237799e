#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { removedVariables } from './app/config/removed.js';
import { describeFailure } from './app/startup/failure.js';

const help = `handover <command>

  up               everything in one process: engine, database, sandbox, worker, status API (npm start)
  worker           worker and relay of a cluster           (needs DATABASE_URL, PLATFORM_BASE_URL, CODEC_KEYS)
  api              receiver and status API of a cluster    (needs DATABASE_URL, HANDOVER_TOKENS, CODEC_KEYS)
  sandbox          the platform alone
  sandbox generate [--days 30] [--cars 500] [--seed 7] [--out file]
                   the callbacks of a month as JSON lines, the same for the same seed
  engine           the embedded Temporal alone
  doctor [--callback-url <address>] [--json]
                   checks this configuration against the real platform and changes nothing: exit code 1 where
                   something has to be repaired; the address is the one that the platform sends callbacks to
  rehearse <file…> [--json]
                   plays scenarios (scenarios/*.yaml) in skipped time and prints each as a story

  up --no-demo          leaves the demo out
  up --demo-pace <ms>   pause between two moves of one of its stories (default 400)

Settings come from the environment: see docs/configuration.md.
`;

// what it writes, and what the programs that it starts write, is for its own user alone
process.umask(0o077);
try {
  await main(process.argv.slice(2));
  process.exit(process.exitCode ?? 0);
} catch (error) {
  process.stderr.write(`${describeFailure(error)}\n`);
  process.exit(1);
}

async function main(argv: string[]): Promise<void> {
  const warning = removedVariables(process.env);
  if (warning !== undefined) process.stderr.write(`warning: ${warning}\n`);
  if (argv[0] === 'sandbox' && argv[1] === 'generate')
    return (await import('./app/commands/sandbox-generate.js')).sandboxGenerate(argv.slice(2), process.env);
  if (argv[0] === 'rehearse') return rehearsal(argv.slice(1));
  if (argv[0] === 'doctor') return examination(argv.slice(1));
  const { positionals, values } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      'no-demo': { type: 'boolean', default: false },
      'demo-pace': { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const [command = 'help', ...rest] = positionals;
  if (rest.length > 0) throw new Error(`${rest.join(' ')}: handover ${command} takes no further arguments`);
  for (const option of ['no-demo', 'demo-pace'] as const) {
    if (values[option] && command !== 'up') throw new Error(`--${option} belongs to \`handover up\``);
  }
  const { env } = process;
  // Each command loads its own part alone: `handover sandbox` needs no Temporal.
  switch (values.help ? 'help' : command) {
    case 'up':
      return (await import('./app/commands/up.js')).up({
        env,
        demo: !values['no-demo'],
        ...(values['demo-pace'] !== undefined && { demoPaceMs: paceOf(values['demo-pace']) }),
      });
    case 'worker':
      return (await import('./app/commands/worker.js')).worker(env);
    case 'api':
      return (await import('./app/commands/api.js')).api(env);
    case 'sandbox':
      return (await import('./app/commands/sandbox.js')).sandbox(env);
    case 'engine':
      return (await import('./app/commands/engine.js')).engine(env);
    case 'help':
      process.stdout.write(help);
      return;
    default:
      throw new Error(`there is no command ${command}; \`handover help\` lists them`);
  }
}

/** Its words are files. Exit code 1: a scenario did not go as its file says. */
async function rehearsal(argv: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false } },
  });
  const { rehearse } = await import('./tools/rehearse/command.js');
  if (!(await rehearse(positionals, { json: values.json, env: process.env }))) process.exitCode = 1;
}

/** Exit code 1: something has to be repaired. */
async function examination(argv: string[]): Promise<void> {
  const { values } = parseArgs({
    args: argv,
    options: { json: { type: 'boolean', default: false }, 'callback-url': { type: 'string' } },
  });
  const { doctor } = await import('./tools/doctor/command.js');
  const { json, 'callback-url': callbackUrl } = values;
  if (!(await doctor({ json, callbackUrl, env: process.env }))) process.exitCode = 1;
}

function paceOf(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new Error(`--demo-pace is ${text}; give milliseconds, such as 400`);
}

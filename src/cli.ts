#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { removedVariables } from './app/config/removed.js';
import { describeFailure } from './app/startup/failure.js';

const help = `handover <command>

  up               everything in one process: engine, database, sandbox, worker, status API (npm start)
  worker           worker and relay of a cluster           (needs DATABASE_URL, PLATFORM_BASE_URL, CODEC_KEYS)
  api              receiver and status API of a cluster    (needs DATABASE_URL, HANDOVER_TOKENS, CODEC_KEYS)
  rebuild          writes the lists of open reservations of a cluster again, while its processes run (needs DATABASE_URL, CODEC_KEYS)
  erase --by <who> (--reservation <id> … | --booking <command id> … | --driver <text>) [--dry-run] [--json]
                   erases personal data of closed reservations of a cluster, while its processes run; --driver finds them by
                   a whole name, a telephone number or a licence number (\`-\` reads it from standard input);
                   needs DATABASE_URL, CODEC_KEYS, BLOB_URL and TEMPORAL_… as the workers have them
  erase --certificates [--json]
                   what was erased, when, and by whom           (needs DATABASE_URL, CODEC_KEYS; --dry-run too)
  sandbox          the platform alone
  sandbox generate [--days 30] [--cars 500] [--seed 7] [--out file]
                   the callbacks of a month as JSON lines, the same for the same seed
  engine           the embedded Temporal alone
  status [--json]  one screen: components, versions, backlog, shards, suspended roles, stuck workflows, alerts; exit code 1
                   where something needs a person
  doctor [--callback-url <address>] [--json]
                   checks this configuration against the real platform and changes nothing: exit code 1 where
                   something has to be repaired; the address is the one that the platform sends callbacks to
  release status [--json]
                   versions of the workers, with Worker Versioning, and how many open runs are pinned to each;
                   like promote and move it needs TEMPORAL_DEPLOYMENT_NAME
  release promote [--build-id <id> | --unversioned] [--percentage <n>] [--missing-queues]
                   gives new runs to a version of the workers: this build, where none is named;
                   --missing-queues: also to one that polls fewer task queues
  release move [--build-id <id> | --unversioned] [--per-second 20 | --force [--query <query>]]
                   moves open runs of other versions to it (--unversioned: of every version, to workers without one);
                   --force: those whose tasks fail on theirs
  release check [--query <query>] [--sample 200] [--json]
                   replays open runs on this build: exit code 1 where it breaks one, 2 where it could not check (needs DATABASE_URL,
                   CODEC_KEYS)
  rehearse <file…> [--json]
                   plays scenarios (scenarios/*.yaml) in skipped time and prints each as a story

  up --no-demo          leaves the demo out
  up --demo-pace <ms>   pause between two moves of one of its stories (default 6000)

Settings come from the environment: see docs/configuration.md.
`;

// files of this process and of the programs that it starts are readable by its own user only
process.umask(0o077);
try {
  await main(process.argv.slice(2));
  process.exit(process.exitCode ?? 0);
} catch (error) {
  process.stderr.write(`${describeFailure(error)}\n`);
  process.exit(1);
}

async function main(argv: string[]): Promise<void> {
  if (argv.includes('--help') || argv.includes('-h')) return printHelp();
  const warning = removedVariables(process.env);
  if (warning !== undefined) process.stderr.write(`warning: ${warning}\n`);
  if (argv[0] === 'sandbox' && argv[1] === 'generate')
    return (await import('./app/commands/sandbox-generate.js')).generateCallbacks(argv.slice(2), process.env);
  if (argv[0] === 'rehearse') return runRehearsal(argv.slice(1));
  if (argv[0] === 'erase')
    return (await import('./app/commands/erase.js')).runErase(argv.slice(1), process.env);
  if (argv[0] === 'doctor') return runDoctor(argv.slice(1));
  if (argv[0] === 'status') return showStatus(argv.slice(1));
  if (argv[0] === 'release') return runRelease(argv.slice(1));
  const { positionals, values } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      'no-demo': { type: 'boolean', default: false },
      'demo-pace': { type: 'string' },
    },
  });
  const [command = 'help', ...rest] = positionals;
  if (rest.length > 0) throw new Error(`${rest.join(' ')}: handover ${command} takes no further arguments`);
  for (const option of ['no-demo', 'demo-pace'] as const) {
    if (values[option] && command !== 'up') throw new Error(`--${option} belongs to \`handover up\``);
  }
  const { env } = process;
  // Each command loads its own part alone: `handover sandbox` needs no Temporal.
  switch (command) {
    case 'up':
      return (await import('./app/commands/up.js')).runUp({
        env,
        demo: !values['no-demo'],
        ...(values['demo-pace'] !== undefined && { demoPaceMs: paceOf(values['demo-pace']) }),
      });
    case 'worker':
      return (await import('./app/commands/worker.js')).runWorker(env);
    case 'api':
      return (await import('./app/commands/api.js')).runApi(env);
    case 'rebuild':
      return (await import('./app/commands/rebuild.js')).runRebuild(env);
    case 'sandbox':
      return (await import('./app/commands/sandbox.js')).runSandbox(env);
    case 'engine':
      return (await import('./app/commands/engine.js')).runEngine(env);
    case 'help':
      return printHelp();
    default:
      throw new Error(`there is no command ${command}; \`handover help\` lists them`);
  }
}

function printHelp(): void {
  process.stdout.write(help);
}

/** The arguments are files. Exit code 1: a scenario failed. */
async function runRehearsal(argv: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false } },
  });
  const { rehearse } = await import('./tools/rehearse/command.js');
  if (!(await rehearse(positionals, { json: values.json, env: process.env }))) process.exitCode = 1;
}

/** Exit code 1: this build breaks open runs, or the command failed. Exit code 2: `release check` could not check. */
async function runRelease(argv: string[]): Promise<void> {
  const { release } = await import('./tools/release/command.js');
  try {
    if (!(await release(argv, process.env))) process.exitCode = 1;
  } catch (error) {
    process.stderr.write(`${describeFailure(error)}\n`);
    process.exitCode = argv[0] === 'check' ? 2 : 1;
  }
}

/** Exit code 1: a check failed. */
async function runDoctor(argv: string[]): Promise<void> {
  const { values } = parseArgs({
    args: argv,
    options: { json: { type: 'boolean', default: false }, 'callback-url': { type: 'string' } },
  });
  const { doctor } = await import('./tools/doctor/command.js');
  const { json, 'callback-url': callbackUrl } = values;
  if (!(await doctor({ json, callbackUrl, env: process.env }))) process.exitCode = 1;
}

/** Exit code 1: something needs a person. */
async function showStatus(argv: string[]): Promise<void> {
  const { values } = parseArgs({ args: argv, options: { json: { type: 'boolean', default: false } } });
  const { status } = await import('./tools/status/command.js');
  if (!(await status({ json: values.json, env: process.env }))) process.exitCode = 1;
}

function paceOf(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new Error(`--demo-pace is ${text}; give milliseconds, such as 3000`);
}

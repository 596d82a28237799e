import { parseArgs } from 'node:util';
import { loadConfig } from '../../app/config/index.js';
import { readBuildId } from '../../app/installation.js';
import { createLogger, openStandardError } from '../../app/log.js';
import { printLine, requireValue } from '../../app/startup/until-stopped.js';
import { createTemporalClient } from '../../temporal/client/create-client.js';
import { Releases } from '../../temporal/client/releases.js';
import { connectClient, externalTarget } from '../../temporal/connection/connection.js';
import { installRuntime } from '../../temporal/worker/runtime.js';
import { checkRelease } from './check/command.js';
import { move } from './move.js';

const options = {
  'build-id': { type: 'string' },
  unversioned: { type: 'boolean', default: false },
  percentage: { type: 'string' },
  'missing-queues': { type: 'boolean', default: false },
  'per-second': { type: 'string' },
  force: { type: 'boolean', default: false },
  query: { type: 'string' },
  sample: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

/** Options of each command. */
const commands: Readonly<Record<string, readonly string[]>> = {
  status: ['json'],
  check: ['query', 'sample', 'json'],
  promote: ['build-id', 'unversioned', 'percentage', 'missing-queues'],
  move: ['build-id', 'unversioned', 'per-second', 'force', 'query'],
};

/**
 * `handover release`: which version of the workers gets the runs of a namespace, and whether this build may have them.
 * @returns whether it succeeded; false: `check` found histories that this build breaks
 * @throws Error for arguments that cannot be read, settings that are missing, and what the service refuses
 */
export async function release(argv: string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  const { positionals, values } = parseArgs({ args: argv, allowPositionals: true, options });
  const [name = '', ...rest] = positionals;
  const own = commands[name];
  if (own === undefined || rest.length > 0)
    throw new Error(`handover release takes one of: ${Object.keys(commands).join(', ')}`);
  const foreign = Object.entries(values).find(([option, value]) => value !== false && !own.includes(option));
  if (foreign !== undefined)
    throw new Error(`--${foreign[0]} does not belong to \`handover release ${name}\``);
  if (values.unversioned && values['build-id'] !== undefined)
    throw new Error('--unversioned is for workers without a version: give it, or --build-id, not both');
  const sample = wholeNumber('sample', values.sample ?? '200');
  const perSecond = wholeNumber('per-second', values['per-second'] ?? '20');
  const percentage =
    values.percentage === undefined ? undefined : wholeNumber('percentage', values.percentage, 0);
  const config = loadConfig(env, { receives: false });
  installRuntime({ log: createLogger('error', openStandardError()) });
  if (name === 'check')
    return checkRelease(
      { config, env },
      {
        ...(values.query !== undefined && { query: values.query }),
        sample,
        json: values.json,
      },
    );
  const { deployment } = config.temporal;
  const deploymentName = requireValue(
    deployment?.name,
    `release ${name}`,
    'TEMPORAL_DEPLOYMENT_NAME',
    'the name that the workers have',
  );
  const buildId = values.unversioned ? null : (values['build-id'] ?? deployment?.buildId ?? readBuildId());
  const target = externalTarget(env);
  const connection = await connectClient(target);
  try {
    // nothing that it reads or sends is encrypted
    const { client } = createTemporalClient(target, connection, {});
    const releases = new Releases(client, deploymentName);
    if (name === 'status') await printStatus(releases, values.json);
    else if (name === 'move') {
      const { force, query } = values;
      await move(releases, buildId, { force, query, perSecond });
    } else await promote(releases, buildId, { percentage, missingQueues: values['missing-queues'] });
    return true;
  } finally {
    await connection.close();
  }
}

async function printStatus(releases: Releases, json: boolean): Promise<void> {
  const versions = await releases.versions();
  if (json) return printLine(JSON.stringify({ deployment: releases.deploymentName, versions }, null, 2));
  for (const { buildId, status, open, openBookings } of versions) {
    const bookings = openBookings === 0 ? '' : `, ${openBookings} of them bookings`;
    printLine(
      `${status.padEnd(9)} ${releases.deploymentName} ${buildId}: ${open} open runs are pinned to it${bookings}`,
    );
  }
}

async function promote(
  releases: Releases,
  buildId: string | null,
  how: { percentage: number | undefined; missingQueues: boolean },
): Promise<void> {
  const isRouted = await releases.promote(buildId, how);
  const share = how.percentage === undefined ? 'all' : `${how.percentage} % of the`;
  printLine(
    `${share} new runs start on ${buildId ?? 'workers without a version'}; open ones move when they continue as new`,
  );
  if (!isRouted) printLine('not every task queue has learned it yet: wait before you rely on it');
}

function wholeNumber(option: string, text: string, least = 1): number {
  if (/^\d{1,7}$/.test(text) && Number(text) >= least) return Number(text);
  throw new Error(`--${option} is ${text}; give a whole number from ${least}`);
}

import { printLine } from '../../app/startup/until-stopped.js';
import type { Releases } from '../../temporal/client/releases.js';

type MovingReleases = Pick<Releases, 'deploymentName' | 'known' | 'force' | 'wakeOthers'>;

interface MoveOptions {
  /** Has the version continue runs that cannot move by themselves: those whose tasks fail on theirs, or those of `query`. */
  force: boolean;
  query: string | undefined;
  perSecond: number;
}

/**
 * `handover release move`: open runs of other versions move to `buildId`.
 * @param buildId null: those of every version, to workers without one
 * @throws Error for options that contradict each other, and for a build id that no version has; what the service refuses
 */
export async function move(
  releases: MovingReleases,
  buildId: string | null,
  how: MoveOptions,
): Promise<void> {
  if (how.query !== undefined && !how.force)
    throw new Error('--query needs --force: without it every other run is woken');
  if (buildId === null && how.force)
    throw new Error('--force gives runs to a version: give --build-id in place of --unversioned');
  await requireKnown(releases, buildId, how);
  if (buildId !== null && how.force) {
    const forced = await releases.force(buildId, how);
    printLine(
      `${forced} open runs are continued by ${buildId}, until \`handover release move\` to another version`,
    );
    return;
  }
  const woken = await releases.wakeOthers(buildId, how.perSecond);
  const from = buildId === null ? 'every version' : 'other versions';
  printLine(
    `${woken} open runs of ${from} were woken; \`handover release status\` shows when they have moved`,
  );
}

/** The server accepts any build id here: every run is of another version than one that is mistyped. */
async function requireKnown(
  releases: MovingReleases,
  buildId: string | null,
  { force }: MoveOptions,
): Promise<void> {
  const { deploymentName } = releases;
  const known = await releases.known();
  if (known.length === 0)
    throw new Error(
      `no worker has had a version of the deployment ${deploymentName}: check TEMPORAL_DEPLOYMENT_NAME`,
    );
  if (buildId === null || known.some((version) => version.buildId === buildId)) return;
  const list = known.map((version) => `${version.buildId} (${version.status})`).join(', ');
  const unversioned = force ? '' : ', or --unversioned for workers without a version';
  throw new Error(
    `no version of the deployment ${deploymentName} has the build id ${buildId}: give --build-id of ${list}${unversioned}`,
  );
}

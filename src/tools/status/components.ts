import { taskQueue } from '../../contract/names.js';
import type { TemporalStatus } from '../../temporal/client/cluster-status.js';
import type { TemporalTarget } from '../../temporal/connection/connection.js';
import type { Component } from './types.js';

/** The server, the workers of each task queue, and those of the version that gets new runs. */
export function componentsOf(
  { serverVersion, workers, current }: TemporalStatus,
  target: Pick<TemporalTarget, 'address' | 'namespace'>,
): Component[] {
  const server: Component = {
    name: 'Temporal',
    state: 'ok',
    detail: `${target.address}, namespace ${target.namespace}, server ${serverVersion}`,
  };
  const served = workers.flatMap(({ queue, pollers }): Component[] => {
    const name = `worker of ${queue}`;
    if (pollers.length === 0) return [failing(name, 'none polls')];
    return pollers.map(({ identity, buildId }) => {
      const version = buildId === null ? 'no version' : `version ${buildId}`;
      return { name, state: 'ok', detail: `${identity}, ${version}`, version };
    });
  });
  return [server, ...served, ...(current === undefined ? [] : [currentOf(current, workers)])];
}

/** A version that no worker polls for: an orchestrator deleted its workers, or those of another release replaced them. */
function currentOf(
  { buildId }: NonNullable<TemporalStatus['current']>,
  workers: TemporalStatus['workers'],
): Component {
  const name = 'workers of the current version';
  const version = buildId ?? 'no version';
  const isServed = workers.some(({ queue, pollers }) =>
    pollers.some((poller) => queue === taskQueue && poller.buildId === buildId),
  );
  if (isServed) return { name, state: 'ok', detail: version };
  return failing(name, `none of ${version} polls, and new runs wait: start them, or promote another`);
}

/**
 * The same for one screen: workers that poll one queue with one version are one component, as `3 poll, version 7`; one alone
 * keeps its identity.
 */
export function groupWorkers(components: readonly Component[]): Component[] {
  const groups = new Map<unknown, { first: Component; count: number }>();
  for (const component of components) {
    const { name, version } = component;
    const key = version === undefined ? component : `${name} ${version}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { first: component, count: 1 });
    else group.count += 1;
  }
  return [...groups.values()].map(({ first, count }) =>
    count === 1 ? first : { ...first, detail: `${count} poll, ${first.version}` },
  );
}

export const failing = (name: string, detail: string): Component => ({ name, state: 'failing', detail });

import { taskQueue } from '../../contract/names.js';
import { type ExaminedService, examineService } from '../../temporal/client/examine.js';
import { activityQueues } from '../../temporal/client/pollers.js';
import type { TemporalTarget } from '../../temporal/connection/connection.js';
import { engineCode } from '../../temporal/connection/unavailable.js';
import { checkApiKey } from './api-key.js';
import { createCheck, type Finding } from './finding.js';
import { usesTls, whyNoWorkerConnects } from './worker-connection.js';

/** Checks a Temporal service: namespace, search attributes, and whether workers poll. Only reads. */
export async function* checkTemporal(target: TemporalTarget): AsyncGenerator<Finding> {
  const check = createCheck('temporal', 'service');
  let service: ExaminedService;
  try {
    service = await examineService(target);
  } catch (error) {
    yield check.fail((error as Error).message);
    return;
  }
  try {
    const refusal = usesTls(target) ? await whyNoWorkerConnects(target) : undefined;
    if (refusal === undefined) yield check.ok(`answers at ${target.address}`);
    else
      yield check.fail(`answers at ${target.address}, but no worker can connect (${refusal})`, {
        todo: 'workers trust the root certificates of the system, not those of Node: install ca-certificates, or set TEMPORAL_TLS_SERVER_CA_CERT_PATH',
      });
    const { apiKey } = target.options;
    if (typeof apiKey === 'string') yield* checkApiKey(apiKey, Date.now());
    yield* checkNamespace(service, target.namespace);
  } finally {
    await service.close();
  }
}

async function* checkNamespace(service: ExaminedService, namespace: string): AsyncGenerator<Finding> {
  const named = createCheck('temporal', 'namespace');
  try {
    yield named.ok(`${namespace}, keeps ended workflows for ${await service.retentionHours()} h`);
  } catch (error) {
    yield named.fail(`${namespace} is not served (${codeOf(error)})`, {
      todo: 'set TEMPORAL_NAMESPACE to one that is there, or create it; check TEMPORAL_API_KEY',
    });
    return;
  }
  const attributes = createCheck('temporal', 'search attributes');
  try {
    const missing = await service.missingSearchAttributes();
    if (missing.length === 0) yield attributes.ok('all there');
    else
      yield attributes.warn(`not there yet: ${missing.join(', ')}`, {
        todo: 'the next start registers them, where the service allows it; else register them by hand',
      });
  } catch (error) {
    if (engineCode(error) !== null)
      yield attributes.skip(`the service does not list them (${codeOf(error)})`);
    else
      yield attributes.fail((error as Error).message, {
        todo: 'use another namespace, or rename what is in the way',
      });
  }
  const polled = [
    { queue: taskQueue, kind: 'workflows' as const },
    ...[taskQueue, ...activityQueues].map((queue) => ({ queue, kind: 'activities' as const })),
  ];
  for (const { queue, kind } of polled) {
    const worker = createCheck('temporal', `worker of ${queue}, ${kind}`);
    try {
      if (await service.isPolled(queue, kind)) yield worker.ok('polls');
      else
        yield worker.warn('no worker polls', {
          todo: 'start `handover worker` (or `npm start`) with the same namespace; before going live that is expected',
        });
    } catch (error) {
      yield worker.fail(`cannot be read (${codeOf(error)})`);
    }
  }
}

/** Only the code: the text of the error may contain private names. */
function codeOf(error: unknown): string {
  return engineCode(error) ?? (error instanceof Error ? error.name : 'unknown');
}

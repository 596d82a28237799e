import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, isGrpcServiceError } from '@temporalio/client';
import proto from '@temporalio/proto';
import { searchAttributes } from '../contract/search-attributes.js';

const { IndexedValueType } = proto.temporal.api.enums.v1;
type Services = Pick<Connection, 'operatorService' | 'workflowService'>;

const wanted = Object.fromEntries(
  Object.values(searchAttributes).map(({ name, type }) => [
    name,
    IndexedValueType[`INDEXED_VALUE_TYPE_${type}`],
  ]),
);

// gRPC status codes
const alreadyExists = 6;
const unimplemented = 12;

/**
 * Registers Handover's search attributes where they are missing and waits until the server takes them.
 * Safe to repeat and to run from several processes at once.
 * @throws an `Error` that names the attributes to register by hand where the server does not let us (Temporal
 *   Cloud), or the attribute that exists with another type
 */
export async function registerSearchAttributes(connection: Services, namespace: string): Promise<void> {
  const { operatorService } = connection;
  try {
    const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
    const missing = missingFrom(customAttributes ?? {});
    if (Object.keys(missing).length > 0) await add(connection, namespace, missing);
  } catch (error) {
    if (!isGrpcServiceError(error) || error.code !== unimplemented) throw byHand(namespace, error);
    await add(connection, namespace, wanted); // a test server that cannot list them
  }
  await waitUntilUsable(connection, namespace);
}

/** What is still to be registered, by name. @throws as `registerSearchAttributes`, and registers nothing */
export async function missingSearchAttributes(
  { operatorService }: Pick<Connection, 'operatorService'>,
  namespace: string,
): Promise<string[]> {
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  return Object.keys(missingFrom(customAttributes ?? {}));
}

function missingFrom(present: Record<string, number>): Record<string, number> {
  for (const [name, type] of Object.entries(wanted)) {
    const known = present[name];
    if (known === undefined || known === type) continue;
    throw new Error(
      `search attribute ${name} exists as ${IndexedValueType[known]}; Handover needs it as ${IndexedValueType[type]}`,
    );
  }
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => present[name] === undefined));
}

async function add(
  { operatorService }: Services,
  namespace: string,
  missing: Record<string, number>,
): Promise<void> {
  try {
    await operatorService.addSearchAttributes({ namespace, searchAttributes: missing });
  } catch (error) {
    if (!isGrpcServiceError(error) || error.code !== alreadyExists) throw error;
  }
}

function byHand(namespace: string, error: unknown): unknown {
  if (!isGrpcServiceError(error)) return error;
  const list = Object.entries(wanted).map(([name, type]) => `${name}=${IndexedValueType[type]}`);
  return new Error(
    `search attributes cannot be registered in namespace ${namespace} (${error.details}); register these there: ${list.join(', ')}`,
    { cause: error },
  );
}

/** The server learns new names with a delay: a query that names them all succeeds only when it has. */
async function waitUntilUsable({ workflowService }: Services, namespace: string): Promise<void> {
  const query = Object.keys(wanted)
    .map((name) => `${name} IS NULL`)
    .join(' AND ');
  for (let attempt = 0; ; attempt++) {
    try {
      await workflowService.countWorkflowExecutions({ namespace, query });
      return;
    } catch (error) {
      if (isGrpcServiceError(error) && error.code === unimplemented) return;
      if (attempt >= 150) throw error;
      await sleep(100);
    }
  }
}

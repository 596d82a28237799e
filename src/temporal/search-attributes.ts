import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import { searchAttributes } from '../contract/search-attributes.js';
import { engineCode } from './connection/unavailable.js';

const { IndexedValueType } = proto.temporal.api.enums.v1;
type Services = Pick<Connection, 'operatorService' | 'workflowService'>;

const wanted = Object.fromEntries(
  Object.values(searchAttributes).map(({ name, type }) => [
    name,
    IndexedValueType[`INDEXED_VALUE_TYPE_${type}`],
  ]),
);

/** A retry may help; everything else needs an administrator. */
const passing = [
  'UNAVAILABLE',
  'DEADLINE_EXCEEDED',
  'CANCELLED',
  'RESOURCE_EXHAUSTED',
  'ABORTED',
  'NOT_FOUND',
];

/**
 * Registers Handover's search attributes where they are missing and waits until the server takes them.
 * Safe to repeat and to run from several processes at once.
 * @returns a warning where the server does not let us (Temporal Cloud)
 * @throws the server's error where trying again may help; an `Error` that names the attribute that exists with another
 *   type
 */
export async function registerSearchAttributes(
  connection: Services,
  namespace: string,
): Promise<string | undefined> {
  // what cannot be listed may still be registered: by a test server, which cannot list
  const listed = await unlessDenied(() => missingSearchAttributes(connection, namespace));
  const missing = 'denied' in listed ? Object.keys(wanted) : listed.answer;
  const added = await unlessDenied(() => add(connection, namespace, missing));
  if (!('denied' in added)) await waitUntilUsable(connection, namespace);
  const denied = [listed, added].flatMap((one) => ('denied' in one ? [one.denied] : []));
  const [code] = denied.filter((one) => 'denied' in added || one !== 'UNIMPLEMENTED');
  return code === undefined ? undefined : warningOf(connection, namespace, code);
}

/** @returns the answer, or the code under which the server does not give one to us */
async function unlessDenied<T>(call: () => Promise<T>): Promise<{ answer: T } | { denied: string }> {
  try {
    return { answer: await call() };
  } catch (error) {
    const code = engineCode(error);
    if (code === null || passing.includes(code)) throw error;
    return { denied: code };
  }
}

async function warningOf(connection: Services, namespace: string, code: string): Promise<string> {
  const names = Object.entries(wanted).map(([name, type]) => `${name}=${IndexedValueType[type]}`);
  const inPlace = await isUsable(connection, namespace).then(
    () => true,
    () => false,
  );
  const todo = inPlace
    ? 'all of them are in place'
    : `lists and reservations need them: register these there: ${names.join(', ')}`;
  return `search attributes cannot be listed or registered in namespace ${namespace} (${code}); ${todo}`;
}

/** What is still to be registered, by name. @throws as `registerSearchAttributes`, and registers nothing */
export async function missingSearchAttributes(
  { operatorService }: Pick<Connection, 'operatorService'>,
  namespace: string,
): Promise<string[]> {
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  return missingFrom(customAttributes ?? {});
}

function missingFrom(present: Record<string, number>): string[] {
  for (const [name, type] of Object.entries(wanted)) {
    const known = present[name];
    if (known === undefined || known === type) continue;
    throw new Error(
      `search attribute ${name} exists as ${IndexedValueType[known]}; Handover needs it as ${IndexedValueType[type]}`,
    );
  }
  return Object.keys(wanted).filter((name) => present[name] === undefined);
}

async function add(
  { operatorService }: Services,
  namespace: string,
  missing: readonly string[],
): Promise<void> {
  if (missing.length === 0) return;
  const attributes = Object.fromEntries(Object.entries(wanted).filter(([name]) => missing.includes(name)));
  try {
    await operatorService.addSearchAttributes({ namespace, searchAttributes: attributes });
  } catch (error) {
    if (engineCode(error) !== 'ALREADY_EXISTS') throw error;
  }
}

/** The server learns new names with a delay. */
async function waitUntilUsable(connection: Services, namespace: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await isUsable(connection, namespace);
    } catch (error) {
      if (engineCode(error) === 'UNIMPLEMENTED') return;
      if (attempt >= 150) throw error;
      await sleep(100);
    }
  }
}

/** A query that names them all succeeds only where the server knows them. @throws what the server says */
async function isUsable({ workflowService }: Services, namespace: string): Promise<void> {
  const query = Object.keys(wanted)
    .map((name) => `${name} IS NULL`)
    .join(' AND ');
  await workflowService.countWorkflowExecutions({ namespace, query });
}

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import proto from '@temporalio/proto';
import type { Enum, Root, Type } from 'protobufjs';

/** The operations API of Temporal Cloud as the SDK's packages describe it, with its paths. */
const root = (proto.temporal.api as unknown as { cloud: Root }).cloud;
const service = root.lookupService('temporal.api.cloud.cloudservice.v1.CloudService');

type Json = Record<string, unknown>;
interface Call {
  method: string;
  body: Json;
}
interface Operation extends Json {
  id: string;
  state: string;
}

const routes = service.methodsArray.flatMap(({ name, requestType, options }) =>
  (['get', 'post'] as const).flatMap((verb) => {
    const path = options?.[`(google.api.http).${verb}`] as string | undefined;
    if (path === undefined) return [];
    const pattern = new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
    return [{ name, verb: verb.toUpperCase(), pattern, type: service.lookupType(requestType) }];
  }),
);

/**
 * An account of Temporal Cloud with what this test makes in it. It refuses paths, fields and values that its protocol does not
 * have; changes take effect when their operation is read for the second time.
 */
export class FakeCloud {
  readonly calls: Call[] = [];
  readonly namespaces: { namespace: string; spec: Json; resourceVersion: string; endpoints: Json }[] = [];
  readonly accounts: { id: string; spec: Json }[] = [];
  readonly keys: Json[] = [];
  /** Set: how the next operations end. */
  outcome = 'STATE_FULFILLED';
  private readonly operations = new Map<string, { operation: Operation; apply: () => void }>();
  private readonly server = createServer(async (request, response) => {
    const { status, body } = await this.answer(request).catch((error: Error) => ({
      status: 400,
      body: { message: error.message },
    }));
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });

  static async start(): Promise<FakeCloud> {
    const cloud = new FakeCloud();
    await new Promise<void>((resolve) => cloud.server.listen(0, '127.0.0.1', resolve));
    return cloud;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
  }

  private async answer(request: IncomingMessage): Promise<{ status: number; body: Json }> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    const route = routes.find(({ verb, pattern }) => verb === request.method && pattern.test(pathname));
    if (route === undefined) return { status: 404, body: { message: `no ${request.method} ${pathname}` } };
    if (request.headers.authorization !== 'Bearer admin-key') return { status: 401, body: {} };
    const sent = await text(request);
    const body = { ...(sent === '' ? Object.fromEntries(searchParams) : (JSON.parse(sent) as Json)) };
    checkFields(route.type, body);
    const parameters = route.pattern.exec(pathname)?.groups ?? {};
    this.calls.push({ method: route.name, body });
    return { status: 200, body: this.handle(route.name, body, parameters) };
  }

  private handle(method: string, body: Json, parameters: Record<string, string>): Json {
    const spec = (body.spec ?? {}) as Json;
    switch (method) {
      case 'GetNamespaces': {
        const named = this.namespaces.filter((one) =>
          [one.spec.name, undefined].includes(body.name as string),
        );
        return { namespaces: named };
      }
      case 'GetNamespace':
        return { namespace: this.namespaces.find(({ namespace }) => namespace === parameters.namespace) };
      case 'CreateNamespace': {
        const namespace = `${spec.name}.a1b2c`;
        const endpoints = { grpcAddress: `${namespace}.tmprl.cloud:7233` };
        const made = { namespace, spec, resourceVersion: randomUUID(), endpoints };
        return { namespace, asyncOperation: this.begin(() => this.namespaces.push(made)) };
      }
      case 'UpdateNamespace': {
        const found = this.namespaces.find(({ namespace }) => namespace === parameters.namespace);
        if (found?.resourceVersion !== body.resourceVersion) throw new Error('another version');
        return { asyncOperation: this.begin(() => Object.assign(found ?? {}, { spec })) };
      }
      case 'GetServiceAccounts': {
        // one on each page
        const index = Number(body.pageToken ?? 0);
        const nextPageToken = index + 1 < this.accounts.length ? `${index + 1}` : '';
        return { serviceAccount: this.accounts.slice(index, index + 1), nextPageToken };
      }
      case 'CreateServiceAccount': {
        const id = randomUUID();
        return { serviceAccountId: id, asyncOperation: this.begin(() => this.accounts.push({ id, spec })) };
      }
      case 'CreateApiKey':
        return { keyId: 'key', token: 'the-token', asyncOperation: this.begin(() => this.keys.push(spec)) };
      case 'GetAsyncOperation': {
        const { operation, apply } = this.operations.get(parameters.async_operation_id ?? '') ?? {};
        if (operation === undefined) throw new Error('no such operation');
        if (operation.state === 'STATE_PENDING') operation.state = 'STATE_IN_PROGRESS';
        else {
          operation.state = this.outcome;
          if (this.outcome === 'STATE_FULFILLED') apply?.();
          else operation.failureReason = 'the account has no more namespaces';
        }
        return { asyncOperation: operation };
      }
      default:
        throw new Error(`${method} is not expected`);
    }
  }

  private begin(apply: () => void): Operation {
    const operation: Operation = { id: randomUUID(), state: 'STATE_PENDING', checkDuration: '0.01s' };
    this.operations.set(operation.id, { operation, apply });
    return { ...operation };
  }
}

/** @throws for a field that the message does not have, and for a value of an enumeration that it does not have */
function checkFields(type: Type, value: Json): void {
  for (const [name, given] of Object.entries(value)) {
    const field = type.fields[name]?.resolve();
    if (field === undefined) throw new Error(`${type.name} has no ${name}`);
    const values = field.map ? Object.values(given as Json) : field.repeated ? (given as unknown[]) : [given];
    const of = field.resolvedType;
    for (const one of values) {
      if (of === null || of.fullName.startsWith('.google.protobuf.')) continue;
      if ('fields' in of) checkFields(of, one as Json);
      else if (!((one as string) in (of as Enum).values)) throw new Error(`${of.name} has no ${one}`);
    }
  }
}

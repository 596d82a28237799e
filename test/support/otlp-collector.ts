import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import protobuf from 'protobufjs';
import { eventually } from './eventually.js';

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  /** Empty: the first of its trace. */
  parentSpanId: string;
  name: string;
  /** Name of the service that exported it. */
  service: string;
  attributes: Record<string, string | number | boolean>;
  from: bigint;
  to: bigint;
}

export interface Collector {
  url: string;
  spans: CollectedSpan[];
  /** Everything that came, as it came. */
  text: string;
  /** Paths that were requested, each once. */
  paths: string[];
  /** Of the last request. */
  headers: IncomingHttpHeaders;
  /** The first span of this name. */
  span(name: string): Promise<CollectedSpan>;
  /** From the first span of its trace down to this one, as far as they have come. */
  wayTo(span: CollectedSpan): CollectedSpan[];
  close(): Promise<void>;
}

interface OtlpAttribute {
  key: string;
  value: Record<string, string | number | boolean>;
}
/** Hexadecimal in JSON, bytes in protobuf. */
type OtlpId = string | Uint8Array;
interface OtlpSpan {
  traceId: OtlpId;
  spanId: OtlpId;
  parentSpanId?: OtlpId;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: OtlpAttribute[];
}
interface OtlpRequest {
  resourceSpans: { resource: { attributes: OtlpAttribute[] }; scopeSpans: { spans: OtlpSpan[] }[] }[];
}

/** What is read here of opentelemetry/proto/collector/trace/v1/trace_service.proto. */
const requestType = protobuf
  .parse(`
    syntax = "proto3";
    message Request { repeated ResourceSpans resource_spans = 1; }
    message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
    message Resource { repeated KeyValue attributes = 1; }
    message ScopeSpans { repeated Span spans = 2; }
    message Span {
      bytes trace_id = 1;
      bytes span_id = 2;
      bytes parent_span_id = 4;
      string name = 5;
      fixed64 start_time_unix_nano = 7;
      fixed64 end_time_unix_nano = 8;
      repeated KeyValue attributes = 9;
    }
    message KeyValue { string key = 1; AnyValue value = 2; }
    message AnyValue {
      oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; }
    }`)
  .root.lookupType('Request');

/** A collector of OTLP over HTTP, in JSON and in protobuf. */
export async function startCollector(): Promise<Collector> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const contentType = request.headers['content-type'] ?? '';
    collector.text += body.toString();
    collector.headers = request.headers;
    if (!collector.paths.includes(request.url ?? '')) collector.paths.push(request.url ?? '');
    collector.spans.push(...spansOf(contentType, body));
    // no content: every field of the answer has its default
    const answer = contentType === 'application/json' ? '{}' : '';
    response.writeHead(200, { 'content-type': contentType }).end(answer);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const wayTo = (span: CollectedSpan): CollectedSpan[] => {
    const parent = collector.spans.find(
      ({ spanId, traceId }) => spanId === span.parentSpanId && traceId === span.traceId,
    );
    return [...(parent === undefined ? [] : wayTo(parent)), span];
  };
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    text: '',
    paths: [],
    headers: {},
    span: (name) =>
      eventually(`a span ${name}`, () => collector.spans.find((span) => span.name === name), 30_000, 50),
    wayTo,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return collector;
}

/** @throws where the body is not of its content type */
function spansOf(contentType: string, body: Buffer): CollectedSpan[] {
  const request =
    contentType === 'application/json' ? JSON.parse(body.toString()) : fromProtobuf(contentType, body);
  return (request as OtlpRequest).resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => toCollected(service, span)));
  });
}

function fromProtobuf(contentType: string, body: Buffer): object {
  if (contentType !== 'application/x-protobuf') throw new Error(`the content type is ${contentType}`);
  return requestType.toObject(requestType.decode(body), { longs: String, arrays: true });
}

function toCollected(
  service: string,
  { traceId, spanId, parentSpanId = '', name, attributes, ...times }: OtlpSpan,
): CollectedSpan {
  return {
    traceId: inHex(traceId),
    spanId: inHex(spanId),
    parentSpanId: inHex(parentSpanId),
    name,
    service,
    attributes: valuesOf(attributes),
    from: BigInt(times.startTimeUnixNano),
    to: BigInt(times.endTimeUnixNano),
  };
}

const inHex = (id: OtlpId): string => (typeof id === 'string' ? id : Buffer.from(id).toString('hex'));

function valuesOf(attributes: OtlpAttribute[]): CollectedSpan['attributes'] {
  return Object.fromEntries(
    attributes.map(({ key, value }) => {
      const [only = ''] = Object.values(value);
      return [key, 'intValue' in value ? Number(only) : only];
    }),
  );
}

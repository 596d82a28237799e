import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from './eventually.js';

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  /** Empty: the first of its trace. */
  parentSpanId: string;
  name: string;
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
  close(): Promise<void>;
}

interface OtlpSpan extends Pick<CollectedSpan, 'traceId' | 'spanId' | 'name'> {
  parentSpanId?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, string | number | boolean> }[];
}

/** A collector of OTLP over HTTP with JSON. */
export async function startCollector(): Promise<Collector> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    collector.text += text;
    collector.headers = request.headers;
    if (!collector.paths.includes(request.url ?? '')) collector.paths.push(request.url ?? '');
    collector.spans.push(...spansOf(text));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    text: '',
    paths: [],
    headers: {},
    span: (name) =>
      eventually(`a span ${name}`, () => collector.spans.find((span) => span.name === name), 30_000, 50),
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return collector;
}

function spansOf(text: string): CollectedSpan[] {
  const { resourceSpans } = JSON.parse(text) as {
    resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[];
  };
  return resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans)
    .map(({ traceId, spanId, parentSpanId = '', name, attributes, ...times }) => ({
      traceId,
      spanId,
      parentSpanId,
      name,
      attributes: Object.fromEntries(
        attributes.map(({ key, value }) => {
          const [only = ''] = Object.values(value);
          return [key, 'intValue' in value ? Number(only) : only];
        }),
      ),
      from: BigInt(times.startTimeUnixNano),
      to: BigInt(times.endTimeUnixNano),
    }));
}

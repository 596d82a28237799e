import {
  type Attributes,
  type Context,
  context,
  createContextKey,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type IdGenerator,
  RandomIdGenerator,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import {
  codeOf,
  type NewSpan,
  type OpenSpan,
  type TraceCarrier,
  type TraceParent,
  type Tracing,
} from '../../contract/tracing.js';
import { version } from '../installation.js';
import type { Logger } from '../log.js';

const carried = createContextKey('callbacks of handover');
const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

/** Span ids that another part has chosen. */
class Ids implements IdGenerator {
  next: string | undefined;
  private readonly random = new RandomIdGenerator();

  generateTraceId(): string {
    return this.random.generateTraceId();
  }

  generateSpanId(): string {
    return this.next ?? this.random.generateSpanId();
  }
}

/**
 * Tracing by OpenTelemetry: exporter, sampler and batches as the standard variables (`OTEL_…`) say.
 * @param part of Handover, for the name of the service
 */
export function openTracing(
  exporter: SpanExporter,
  { part, log }: { part: string; log: Pick<Logger, 'warn'> },
): Tracing & { close(): Promise<void> } {
  const ids = new Ids();
  const named = resourceFromAttributes({
    'service.name': `handover-${part}`,
    'service.version': version,
  });
  const provider = new BasicTracerProvider({
    // the operator's names come last
    resource: defaultResource()
      .merge(named)
      .merge(detectResources({ detectors: [envDetector] })),
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor(reportingExporter(exporter, log))],
  });
  const contexts = new AsyncLocalStorageContextManager().enable();
  const tracer = provider.getTracer('handover', version);

  return {
    begin({ name, kind, parent, attributes, spanId, from, callbacks }: NewSpan): OpenSpan {
      const around = contextOf(parent) ?? contexts.active();
      ids.next = spanId;
      const span = tracer.startSpan(
        name,
        {
          kind: kind === undefined ? SpanKind.INTERNAL : kinds[kind],
          ...(attributes !== undefined && { attributes: attributes as Attributes }),
          ...(from !== undefined && { startTime: from }),
        },
        around,
      );
      ids.next = undefined;
      const within = trace.setSpan(around, span).setValue(carried, callbacks);
      return {
        traceparent: parentOf(within),
        run: (work) => contexts.with(within, work),
        end({ attributes: more, failed, at } = {}) {
          if (more !== undefined) span.setAttributes(more as Attributes);
          if (failed !== undefined) {
            span.setStatus({ code: SpanStatusCode.ERROR });
            span.setAttribute('error.type', failed);
          }
          span.end(at);
        },
      };
    },
    carrier(): TraceCarrier | undefined {
      const active = contexts.active();
      if (trace.getSpan(active) === undefined) return undefined;
      const callbacks = active.getValue(carried) as TraceCarrier['callbacks'];
      return { traceparent: parentOf(active), ...(callbacks !== undefined && { callbacks }) };
    },
    close: () => provider.shutdown(),
  };
}

function parentOf(active: Context): TraceParent {
  const { traceId, spanId, traceFlags } = trace.getSpanContext(active) ?? none;
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

const none = { traceId: '0'.repeat(32), spanId: '0'.repeat(16), traceFlags: 0 };

/** W3C Trace Context, version 00; undefined for anything else. */
function contextOf(parent: TraceParent | undefined): Context | undefined {
  const match = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(parent ?? '');
  if (match === null) return undefined;
  const [, traceId = '', spanId = '', flags = ''] = match;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  const traceFlags = Number.parseInt(flags, 16) & 1;
  return trace.setSpanContext(context.active(), { traceId, spanId, traceFlags, isRemote: true });
}

/** Logs the first of a row of batches that are not accepted. */
function reportingExporter(exporter: SpanExporter, log: Pick<Logger, 'warn'>): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.error !== undefined;
        if (failed && !isFailing)
          log.warn(
            { code: codeOf(result.error) },
            'the OTLP endpoint does not accept spans; they are dropped',
          );
        isFailing = failed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

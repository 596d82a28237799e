import type { Tracing } from '../../contract/tracing.js';
import { within } from '../../store/connection/within.js';
import type { Logger } from '../log.js';
import type { Stack } from '../startup/stack.js';

const exporters = {
  'http/protobuf': async () => (await import('@opentelemetry/exporter-trace-otlp-proto')).OTLPTraceExporter,
  'http/json': async () => (await import('@opentelemetry/exporter-trace-otlp-http')).OTLPTraceExporter,
};

/** Longest time in milliseconds for the last spans of a process. */
const stopsWithinMs = 3_000;

/**
 * Tracing where an OTLP endpoint is set by the standard variables, else undefined: then nothing of OpenTelemetry is loaded.
 * Spans that the endpoint does not accept are dropped; nothing waits for it but the end of the process, for some seconds.
 * @param part of Handover, for the name of the service
 * @throws Error for a protocol that is not supported
 */
export async function startTracing(
  env: NodeJS.ProcessEnv,
  {
    stack,
    log,
    part,
  }: { stack: Stack; log: Pick<Logger, 'warn'>; part: 'api' | 'receiver' | 'worker' | 'up' },
): Promise<Tracing | undefined> {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT ?? '';
  const isOff = env.OTEL_SDK_DISABLED === 'true' || env.OTEL_TRACES_EXPORTER === 'none';
  if (endpoint.trim() === '' || isOff) return undefined;
  const protocol =
    env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL ?? 'http/protobuf';
  if (!Object.hasOwn(exporters, protocol))
    throw new Error(
      `OTEL_EXPORTER_OTLP_PROTOCOL is ${protocol}; Handover exports by ${Object.keys(exporters).join(' or ')}`,
    );
  const Exporter = await exporters[protocol as keyof typeof exporters]();
  const { openTracing } = await import('./opentelemetry.js');
  return stack.start(
    'export of traces',
    async () => openTracing(new Exporter(), { part, log }),
    (tracing) => within(stopsWithinMs, tracing.close()).catch(() => {}),
  );
}

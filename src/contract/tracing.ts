// What the parts of a trace have in common. Spans hold names, codes and ids; never personal data (L60).

/** A place in a trace, as W3C Trace Context writes it: `00-<trace id>-<span id>-<flags>`. */
export type TraceParent = string;

/** What a Temporal header carries of a trace. */
export interface TraceCarrier {
  traceparent: TraceParent;
  /** Of several callbacks that one signal brings: the place of each in its own trace, by the number of its inbox row. */
  callbacks?: Readonly<Record<string, TraceParent>>;
}
export const traceHeader = 'handover-trace';

type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface NewSpan {
  name: string;
  /** By default `internal`. */
  kind?: 'server' | 'client' | 'producer' | 'consumer';
  /** Absent: the span that runs, or a new trace. One that is no trace parent counts as absent. */
  parent?: TraceParent | undefined;
  attributes?: Attributes;
  /** Given where another part has already named the span as a parent: 16 hexadecimal digits. */
  spanId?: string;
  /** Instant; by default now. */
  from?: number;
  /** What work within the span passes on to workflows, beside its own place. */
  callbacks?: TraceCarrier['callbacks'];
}

export interface OpenSpan {
  readonly traceparent: TraceParent;
  /** Runs work as a part of the span. */
  run<T>(work: () => T): T;
  /** @param failed the code of a failure, never its text @param at instant; by default now */
  end(how?: { attributes?: Attributes; failed?: string; at?: number }): void;
}

/** Where spans go. Absent: tracing is off, and nothing of it is loaded. */
export interface Tracing {
  begin(span: NewSpan): OpenSpan;
  /** Of the span that runs; undefined: none does. */
  carrier(): TraceCarrier | undefined;
}

/** Runs work in a span, where tracing is on. A failure is recorded with its code, or the name of its class. */
export async function inSpan<T>(
  tracing: Tracing | undefined,
  options: NewSpan,
  work: () => Promise<T>,
): Promise<T> {
  if (tracing === undefined) return work();
  const span = tracing.begin(options);
  try {
    const result = await span.run(work);
    span.end();
    return result;
  } catch (error) {
    span.end({ failed: codeOf(error) });
    throw error;
  }
}

export function codeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  if (typeof code === 'string' || typeof code === 'number') return String(code);
  return typeof name === 'string' ? name : 'unknown';
}

/** A span that a workflow reports to its worker: it has no clock of its own but Temporal's. */
interface WorkflowSpan {
  name: string;
  parent: TraceParent;
  spanId: string;
  /** Instants. */
  from: number;
  to: number;
}

/** The sink of the worker that receives them. */
export type TraceSinks = { tracing: { span(span: WorkflowSpan): void } };

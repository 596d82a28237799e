import { defaultPayloadConverter } from '@temporalio/common';
import {
  type ActivityInput,
  type ContinueAsNewInput,
  type LocalActivityInput,
  type Next,
  proxySinks,
  type SignalInput,
  type UpdateInput,
  type WorkflowExecuteInput,
  type WorkflowInboundCallsInterceptor,
  type WorkflowInternalsInterceptor,
  type WorkflowOutboundCallsInterceptor,
  workflowInfo,
} from '@temporalio/workflow';
import { awaitBookingUpdate } from '../src/contract/booking.js';
import { awaitCarWriteUpdate, carWriteWorkflow } from '../src/contract/car-write.js';
import { awaitHoldUpdate, holdWorkflow } from '../src/contract/hold.js';
import { bookingWorkflow } from '../src/contract/names.js';
import {
  type TraceCarrier,
  type TraceParent,
  type TraceSinks,
  traceHeader,
} from '../src/contract/tracing.js';
import { fraction } from '../src/domain/shared/hash.js';

const sinks = proxySinks<TraceSinks>();

/** Workflows of one request: all that they do belongs to its trace. */
const ofOneRequest: readonly string[] = [bookingWorkflow, carWriteWorkflow];
/** All that these do, also in later tasks, belongs to the trace of their newest request. */
const ofRequests: readonly string[] = [...ofOneRequest, holdWorkflow];
/** Updates that only wait: nothing follows from them. */
const waitingUpdates: readonly string[] = [awaitBookingUpdate, awaitCarWriteUpdate, awaitHoldUpdate];
/** Callbacks, and commands, whose places are remembered: the oldest are forgotten first. */
const most = 256;

type Places = Map<string, TraceParent>;
type Headers = ActivityInput['headers'];

/**
 * Passes the trace of a message on to what follows from it: in the same task to every activity, later to the activities of
 * its command and to the write of its verdict; in a workflow of requests to every activity until the next request. Without a
 * trace in the headers it does nothing. It adds no command and no step between two, so a history replays alike with tracing
 * and without.
 */
export class CarriesTraces
  implements WorkflowInboundCallsInterceptor, WorkflowOutboundCallsInterceptor, WorkflowInternalsInterceptor
{
  private current: TraceCarrier | undefined;
  private callbacks: Places | undefined;
  /** Writes of the database that the workflow waits for. */
  private localUnderWay = 0;
  private commands: Places | undefined;

  execute(input: WorkflowExecuteInput, next: Next<WorkflowInboundCallsInterceptor, 'execute'>) {
    const { workflowType } = workflowInfo();
    const carrier = ofRequests.includes(workflowType) ? carrierOf(input.headers) : undefined;
    if (carrier === undefined) return next(input);
    if (!ofOneRequest.includes(workflowType)) {
      // no span: it may be open for weeks, and have other requests
      this.current = { traceparent: carrier.traceparent };
      return next(input);
    }
    const own = ownPlace(carrier.traceparent);
    this.current = { traceparent: own.traceparent };
    return reported(`workflow ${workflowType}`, own, next(input));
  }

  handleSignal(input: SignalInput, next: Next<WorkflowInboundCallsInterceptor, 'handleSignal'>) {
    const carrier = carrierOf(input.headers);
    if (carrier === undefined) return next(input);
    const name = `workflow signal ${input.signalName}`;
    const own = ownPlace(carrier.traceparent);
    this.current = { traceparent: own.traceparent };
    for (const [inboxId, parent] of Object.entries(carrier.callbacks ?? {})) {
      const isOfThis = traceOf(parent) === traceOf(carrier.traceparent);
      const place = isOfThis ? own : ownPlace(parent);
      if (!isOfThis) report(name, place, Date.now());
      this.callbacks = remember(this.callbacks, inboxId, place.traceparent);
    }
    return reported(name, own, next(input));
  }

  handleUpdate(input: UpdateInput, next: Next<WorkflowInboundCallsInterceptor, 'handleUpdate'>) {
    const carrier = carrierOf(input.headers);
    const isRequest = !waitingUpdates.includes(input.name);
    if (carrier === undefined) {
      // what follows from this request is no part of the trace of the one before
      if (isRequest && isOfRequests()) this.current = undefined;
      return next(input);
    }
    const own = ownPlace(carrier.traceparent);
    if (isRequest) this.current = { traceparent: own.traceparent };
    const { commandId } = (input.args[0] ?? {}) as { commandId?: string };
    if (commandId !== undefined) this.commands = remember(this.commands, commandId, own.traceparent);
    return reported(`workflow update ${input.name}`, own, next(input));
  }

  scheduleActivity(
    input: ActivityInput,
    next: Next<WorkflowOutboundCallsInterceptor, 'scheduleActivity'>,
  ): Promise<unknown> {
    return next(this.withTrace(input));
  }

  scheduleLocalActivity(
    input: LocalActivityInput,
    next: Next<WorkflowOutboundCallsInterceptor, 'scheduleLocalActivity'>,
  ): Promise<unknown> {
    const work = next(this.withTrace(input));
    this.localUnderWay += 1;
    const end = () => {
      this.localUnderWay -= 1;
    };
    work.then(end, end);
    return work;
  }

  /** The next run begins with the trace of this one: it has no message of its own yet. */
  continueAsNew(
    input: ContinueAsNewInput,
    next: Next<WorkflowOutboundCallsInterceptor, 'continueAsNew'>,
  ): Promise<never> {
    return next(isOfRequests() && this.current !== undefined ? inTrace(input, this.current) : input);
  }

  concludeActivation(
    input: Parameters<NonNullable<WorkflowInternalsInterceptor['concludeActivation']>>[0],
    next: Next<WorkflowInternalsInterceptor, 'concludeActivation'>,
  ) {
    // what comes later follows from something else; a message that came during a write is applied after it
    const isOver = this.localUnderWay === 0 && !isOfRequests();
    if (this.current !== undefined && isOver) this.current = undefined;
    return next(input);
  }

  private withTrace<I extends { args: unknown[]; headers: Headers }>(input: I): I {
    const carrier = this.carrierFor(input.args[0] as Scheduled | undefined);
    return carrier === undefined ? input : inTrace(input, carrier);
  }

  private carrierFor({ verdicts = [], id }: Scheduled = {}): TraceCarrier | undefined {
    const places = verdicts.flatMap(({ inboxId }): [string, TraceParent][] => {
      const place = this.callbacks?.get(String(inboxId));
      this.callbacks?.delete(String(inboxId));
      return place === undefined ? [] : [[String(inboxId), place]];
    });
    const [first] = places;
    if (first !== undefined) return { traceparent: first[1], callbacks: Object.fromEntries(places) };
    const command = id === undefined ? undefined : this.commands?.get(commandOf(id.command));
    return command === undefined ? this.current : { traceparent: command };
  }
}

/** The parts of an activity's argument that name what it belongs to: `RecordInput`, or an attempt's id. */
interface Scheduled {
  verdicts?: readonly { inboxId: number }[];
  id?: { command: string };
}

/** Of `17:dispatch.start:{commandId}`. */
function commandOf(identity: string): string {
  return identity.split(':').slice(2).join(':');
}

const isOfRequests = (): boolean => ofRequests.includes(workflowInfo().workflowType);

function inTrace<I extends { headers: Headers }>(input: I, carrier: TraceCarrier): I {
  const header = defaultPayloadConverter.toPayload(carrier);
  return { ...input, headers: { ...input.headers, [traceHeader]: header } };
}

/** The trace that a message, or a call of an activity, belongs to. */
export function carrierOf(headers: Headers): TraceCarrier | undefined {
  const header = headers[traceHeader];
  return header === undefined ? undefined : defaultPayloadConverter.fromPayload<TraceCarrier>(header);
}

const traceOf = (traceparent: TraceParent): string => traceparent.slice(3, 35);

interface Place {
  parent: TraceParent;
  spanId: string;
  traceparent: TraceParent;
}

/** The span id follows from the parent's: a replay gives the same. */
function ownPlace(parent: TraceParent): Place {
  const chosen = Math.floor(fraction(`${parent} ${workflowInfo().runId}`) * 2 ** 52) + 1;
  const spanId = chosen.toString(16).padStart(16, '0');
  return { parent, spanId, traceparent: `${parent.slice(0, 36)}${spanId}${parent.slice(52)}` };
}

/** Reports the span when the work ends, beside what waits for it. */
function reported<T>(name: string, place: Place, work: Promise<T>): Promise<T> {
  const from = Date.now();
  const end = () => report(name, place, from);
  work.then(end, end);
  return work;
}

function report(name: string, { parent, spanId }: Place, from: number): void {
  sinks.tracing.span({ name, parent, spanId, from, to: Date.now() });
}

function remember(places: Places = new Map(), key: string, place: TraceParent): Places {
  places.set(key, place);
  const [oldest] = places.keys();
  if (places.size > most && oldest !== undefined) places.delete(oldest);
  return places;
}

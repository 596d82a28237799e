import {
  ApplicationFailure,
  log,
  metricMeter,
  patched,
  type WorkflowInboundCallsInterceptor,
  type WorkflowInterceptors,
  workflowInfo,
} from '@temporalio/workflow';
import { reservationWorkflow } from '../src/contract/names.js';
import { notEncryptedType, type RefusedInput, refusedInput } from '../src/contract/refused-input.js';
import { refusedSignal } from '../src/contract/reservation.js';
import { WritesRowsDirectly } from './direct-rows.js';
import { CarriesTraces } from './tracing.js';
import { AppliesWholeTasks } from './whole-tasks.js';

type Kind = 'start' | 'signal' | 'update';
type Refused = RefusedInput[typeof refusedInput];

/**
 * Refuses what is not encrypted for this workflow: a start fails, a signal is dropped, an update is rejected. Each is logged
 * and counted. What an earlier release accepted is in the history before the patch, and is replayed as it was.
 */
class RefusesUnencrypted implements WorkflowInboundCallsInterceptor {
  execute: NonNullable<WorkflowInboundCallsInterceptor['execute']> = (input, next) => {
    const refused = refusedOf(input.args);
    if (refused === undefined || refused.because === 'damaged' || !isRefusedNow(refused))
      return passOn(input, next);
    record('start', workflowInfo().workflowType, refused);
    return Promise.reject(refusal('start'));
  };

  handleQuery: NonNullable<WorkflowInboundCallsInterceptor['handleQuery']> = (input, next) =>
    passOn(input, next);

  handleSignal: NonNullable<WorkflowInboundCallsInterceptor['handleSignal']> = (input, next) => {
    const refused = refusedOf(input.args);
    if (refused === undefined || !isRefusedNow(refused)) return passOn(input, next);
    record('signal', input.signalName, refused);
    if (workflowInfo().workflowType !== reservationWorkflow) return Promise.resolve();
    return next({ ...input, signalName: refusedSignal, args: [] });
  };

  validateUpdate: NonNullable<WorkflowInboundCallsInterceptor['validateUpdate']> = (input, next) => {
    const refused = refusedOf(input.args);
    if (refused === undefined) return next(input);
    record('update', input.name, refused);
    throw refusal('update');
  };

  /** Updates without a validator reach only this method. */
  handleUpdate: NonNullable<WorkflowInboundCallsInterceptor['handleUpdate']> = (input, next) => {
    const refused = refusedOf(input.args);
    if (refused === undefined || !isRefusedNow(refused)) return passOn(input, next);
    record('update', input.name, refused);
    return Promise.reject(refusal('update'));
  };
}

export const interceptors = (): WorkflowInterceptors => {
  const traces = new CarriesTraces();
  const rows = new WritesRowsDirectly();
  return {
    inbound: [traces, new RefusesUnencrypted(), rows],
    outbound: [traces, rows],
    internals: [traces, new AppliesWholeTasks(), rows],
  };
};

function refusedOf(args: readonly unknown[]): Refused | undefined {
  return args.map(contentOf).find((content) => content !== undefined);
}

function contentOf(arg: unknown): Refused | undefined {
  return typeof arg === 'object' && arg !== null && refusedInput in arg
    ? (arg as RefusedInput)[refusedInput]
    : undefined;
}

/** No release accepted what cannot be decrypted; an old history may hold what was not encrypted. */
function isRefusedNow({ because }: Refused): boolean {
  return because !== 'unencrypted' || patched('refuse-unencrypted');
}

/** Continues with the values that came unencrypted. What cannot be decrypted fails the task, which Temporal retries. */
function passOn<I extends { args: unknown[] }, R>(input: I, next: (input: I) => Promise<R>): Promise<R> {
  if (refusedOf(input.args) === undefined) return next(input);
  const contents = input.args.map((arg) => contentOf(arg) ?? { because: 'unencrypted', value: arg });
  if (contents.some(({ because }) => because !== 'unencrypted')) return Promise.reject(new Error(unreadable));
  return next({ ...input, args: contents.map(({ value }) => value) });
}

const unreadable =
  'an input cannot be decrypted: it was changed, or CODEC_KEYS gives the id of its key another key';

function refusal(kind: Kind): ApplicationFailure {
  return ApplicationFailure.nonRetryable(`the ${kind} is not encrypted for this workflow`, notEncryptedType);
}

function record(kind: Kind, name: string, { because }: Refused): void {
  log.warn('a message was refused: it is not encrypted for this workflow', {
    kind,
    messageName: name,
    because,
  });
  metricMeter
    .createCounter(
      'handover_workflows_refused_messages',
      undefined,
      'Signals and updates that are not encrypted for their workflow',
    )
    .add(1, { kind, because });
}

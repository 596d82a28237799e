import { performance } from 'node:perf_hooks';
import type { FastifyRequest } from 'fastify';
import { Counter, Histogram, type Registry } from 'prom-client';
import { type Action, actions, type Command } from '../../domain/reservation/index.js';
import type { ActionReply, Reservations } from '../../temporal/client/reservations/types.js';
import type { Api } from '../http/context.js';

/** A request of a staff action. */
interface MeasuredAction {
  action: Action;
  /** Since when it is complete, by `performance.now`; until then, since when it came. */
  since: number;
  /** What Handover decided about it; absent: nothing yet. */
  outcome?: string;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The staff action of this route. */
    action?: Action;
  }
  interface FastifyRequest {
    measuredAction: MeasuredAction | undefined;
  }
}

/**
 * Counts staff actions by their answers, and measures them from the complete request to the answer. `failed`: the answer is
 * 5xx, wherever it came from. A request that was refused before it was a command (its token, its form) is not counted.
 * Call it before the routes are added.
 */
export function measureActions(api: Api, registry: Registry): void {
  const count = createActionCount(registry);
  api.decorateRequest('measuredAction', undefined);
  api.addHook('onRequest', (request, _, done) => {
    const { action } = request.routeOptions.config;
    if (action !== undefined) {
      const measured: MeasuredAction = { action, since: performance.now() };
      request.measuredAction = measured;
      // how long a photo is on its way depends on the network of the person
      request.raw.once('end', () => {
        measured.since = performance.now();
      });
    }
    done();
  });
  // not onResponse, which Fastify does not call where the person has left before a late answer
  api.addHook('onSend', (request, { statusCode }, payload, done) => {
    const { measuredAction, raw } = request;
    const isIncomplete = raw.destroyed && !raw.complete;
    if (measuredAction !== undefined && !isIncomplete) count(measuredAction, statusCode);
    done(null, payload);
  });
}

/**
 * Sends the command of a request, and notes its outcome for the metrics.
 * @throws what `performAction` throws; where that is answered by 4xx, it counts as `refused`
 */
export async function performMeasured(
  request: FastifyRequest,
  { performAction }: Pick<Reservations, 'performAction'>,
  { id, command }: { id: number; command: Command },
): Promise<ActionReply> {
  noteOutcome(request, 'refused');
  const reply = await performAction(id, command);
  noteOutcome(request, reply.kind === 'answered' ? reply.command.outcome : reply.kind);
  return reply;
}

/** @param outcome one of a closed list */
export function noteOutcome({ measuredAction }: FastifyRequest, outcome: string): void {
  if (measuredAction !== undefined) measuredAction.outcome = outcome;
}

function createActionCount(registry: Registry): (measured: MeasuredAction, statusCode: number) => void {
  const registers = [registry];
  const answers = new Counter({
    name: 'handover_actions_total',
    help: 'Staff actions by answer: the state of the command, refused (by Handover), no-reservation, or failed (5xx)',
    labelNames: ['action', 'outcome'] as const,
    registers,
  });
  const seconds = new Histogram({
    name: 'handover_actions_answered_seconds',
    help: 'Time from a complete staff action to its answer',
    labelNames: ['outcome'] as const,
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 7.5, 10],
    registers,
  });
  for (const action of actions) answers.inc({ action, outcome: 'failed' }, 0);
  seconds.zero({ outcome: 'answered' });
  seconds.zero({ outcome: 'failed' });
  return ({ action, since, outcome }, statusCode) => {
    const isFailed = statusCode >= 500;
    const answer = isFailed ? 'failed' : outcome;
    if (answer === undefined) return;
    answers.inc({ action, outcome: answer });
    seconds.observe({ outcome: isFailed ? 'failed' : 'answered' }, (performance.now() - since) / 1000);
  };
}

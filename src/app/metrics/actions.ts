import { Counter, Histogram, type Registry } from 'prom-client';
import { actions } from '../../domain/reservation/index.js';
import type { ActionReply, Reservations } from '../../temporal/client/reservations/types.js';

type PerformAction = Reservations['performAction'];

/**
 * Measures staff actions as the person sees them: until Handover's answer. `failed`: there was none, and the person sees an
 * error of 5xx.
 */
export function measureActions(registry: Registry, perform: PerformAction): PerformAction {
  const registers = [registry];
  const answers = new Counter({
    name: 'handover_actions_total',
    help: 'Staff actions by answer: the state of the command, refused (by Handover), no-reservation, or failed (5xx)',
    labelNames: ['action', 'outcome'] as const,
    registers,
  });
  const seconds = new Histogram({
    name: 'handover_actions_answered_seconds',
    help: 'Time from a staff action to its answer',
    labelNames: ['outcome'] as const,
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 7.5, 10],
    registers,
  });
  for (const action of actions) answers.inc({ action, outcome: 'failed' }, 0);
  seconds.zero({ outcome: 'answered' });
  seconds.zero({ outcome: 'failed' });
  return async (id, command) => {
    const { action } = command;
    const end = seconds.startTimer();
    try {
      const reply = await perform(id, command);
      answers.inc({ action, outcome: outcomeOf(reply) });
      end({ outcome: 'answered' });
      return reply;
    } catch (error) {
      answers.inc({ action, outcome: 'failed' });
      end({ outcome: 'failed' });
      throw error;
    }
  };
}

/** One of a closed list; `out`, `waiting` and the like where the outcome follows later. */
function outcomeOf(reply: ActionReply): string {
  return reply.kind === 'answered' ? reply.command.outcome : reply.kind;
}

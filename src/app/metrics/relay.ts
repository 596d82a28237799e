import { Counter, Histogram, type Registry } from 'prom-client';
import { EventsRefusedError, type SendBatch } from '../../temporal/client/reservations/send.js';
import { EngineUnavailableError } from '../../temporal/connection/unavailable.js';

const outcomes = ['sent', 'closed', 'refused', 'unavailable', 'failed'] as const;

/** Measures the sends of the relay in this process. */
export function createRelayMeasures(registry: Registry): (send: SendBatch) => SendBatch {
  const registers = [registry];
  const sends = new Counter({
    name: 'handover_relay_sends_total',
    help: 'Sends of the relay, each of one or more callbacks, by outcome; closed: of a closed reservation, so not sent',
    labelNames: ['outcome'] as const,
    registers,
  });
  for (const outcome of outcomes) sends.inc({ outcome }, 0);
  const events = new Counter({
    name: 'handover_relay_sent_events_total',
    help: 'Callbacks that the relay passed to workflows, repeated sends included',
    registers,
  });
  const seconds = new Histogram({
    name: 'handover_relay_send_seconds',
    help: 'Time of one send',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  return (send) =>
    async (...given) => {
      const end = seconds.startTimer();
      try {
        const outcome = await send(...given);
        sends.inc({ outcome });
        if (outcome === 'sent') events.inc(given[1].length);
        return outcome;
      } catch (error) {
        sends.inc({ outcome: outcomeOf(error) });
        throw error;
      } finally {
        end();
      }
    };
}

function outcomeOf(error: unknown): (typeof outcomes)[number] {
  if (error instanceof EventsRefusedError) return 'refused';
  return error instanceof EngineUnavailableError ? 'unavailable' : 'failed';
}

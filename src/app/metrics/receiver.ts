import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, type Registry } from 'prom-client';

/** Shows how late the event loop is that acknowledges callbacks: of its thread, where it has one of its own. */
export function showReceiverLag(registry: Registry): void {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  new Gauge({
    name: 'handover_receiver_event_loop_lag_p99_seconds',
    help: 'The 99th percentile of the delays of the event loop that receives callbacks, since the last reading',
    registers: [registry],
    collect() {
      this.set(Number.isNaN(delay.mean) ? 0 : delay.percentile(99) / 1e9);
      delay.reset();
    },
  });
}

/** @returns a function to call for each thread that is started again */
export function countReceiverRestarts(registry: Registry): () => void {
  const restarts = new Counter({
    name: 'handover_receiver_restarts_total',
    help: 'Threads of the callback receiver that ended by themselves or hung; each is started again',
    registers: [registry],
  });
  return () => restarts.inc();
}

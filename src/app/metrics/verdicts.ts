import { Counter, Histogram, type Registry } from 'prom-client';
import type { OnJudged } from '../../store/callbacks/types.js';

/** Counts the verdicts that this process records, and how long each callback waited for its own. */
export function createVerdictMeasures(registry: Registry): OnJudged {
  const registers = [registry];
  const verdicts = new Counter({
    name: 'handover_callbacks_verdicts_total',
    help: 'Callbacks by their verdict',
    labelNames: ['verdict'] as const,
    registers,
  });
  const applied = new Histogram({
    name: 'handover_callbacks_applied_seconds',
    help: 'Time from the receipt of a callback (or the order of its replay) to its recorded verdict',
    labelNames: ['replayed'] as const,
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600],
    registers,
  });
  applied.zero({ replayed: 'false' });
  applied.zero({ replayed: 'true' });
  return (rows) => {
    const now = Date.now();
    for (const { verdict, receivedAt, isReplay } of rows) {
      verdicts.inc({ verdict });
      // the receiver's clock may be ahead
      applied.observe({ replayed: String(isReplay) }, Math.max(0, now - receivedAt) / 1000);
    }
  };
}

import { type Attempt, type AttemptId, attemptOf } from '../../src/contract/attempt.js';
import { commandRole } from '../../src/contract/role.js';
import type { CallOptions } from '../../src/platform/client/index.js';
import { readOnce } from './attempt.js';
import { type SendDeps, sendOnce } from './send-once.js';
import { readOptions } from './time.js';

type Call<T> = (options: CallOptions) => Promise<T>;

/** One attempt each, as the rental company (G26). */
export interface CompanyCalls {
  read<T>(call: Call<T>): Promise<Attempt<T>>;
  /** @param id absent: the workflow began under a release that sent none */
  write<T>(id: AttemptId | undefined, call: Call<T>): Promise<Attempt<T>>;
}

/** @param changed called after a write that the platform applied, or may have applied: what was read before may be wrong now */
export function companyCalls(sending: SendDeps, changed: () => void): CompanyCalls {
  return {
    async read(call) {
      const read = () => call({ as: commandRole, ...readOptions() });
      return attemptOf(await readOnce(sending.gate, commandRole, read));
    },
    async write(id, call) {
      const ended = await sendOnce(sending, { role: commandRole, id }, (options) =>
        call({ as: commandRole, ...options }),
      );
      if (ended.outcome === 'applied' || ended.outcome === 'unknown') changed();
      return attemptOf(ended);
    },
  };
}

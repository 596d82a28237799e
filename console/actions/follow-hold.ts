import { send } from '../api/client.js';
import { endpoints } from '../api/endpoints.js';
import { refusalOf } from '../api/problem.js';
import { isAbout } from '../live/changes.js';
import type { Write } from '../state/write.js';
import { useFollow } from './use-follow.js';

interface Followed {
  holdId: string;
  /** Absent: the key of the write. */
  commandId?: string;
  onApplied(): void;
}

/** 202 is not known yet: the hold shows what became of the command. */
export function useFollowHold(write: Write, { holdId, commandId = write.key, onApplied }: Followed): void {
  useFollow(write, {
    read: async () => {
      const { body: hold } = await send(endpoints.hold, { params: { id: holdId } });
      const command = hold.commands.find((one) => one.commandId === commandId);
      const outcome = command?.outcome ?? 'out';
      if (outcome === 'out') return;
      if (outcome === 'applied') {
        write.conclude({ is: 'applied' });
        onApplied();
        return;
      }
      const refused = command?.refused ?? hold.refused;
      write.conclude({ is: 'rejected', problem: refusalOf(refused ?? { code: null, message: null }) });
    },
    concerns: (change) => isAbout(change, ['hold'], holdId),
  });
}

import { useEffect, useState } from 'preact/hooks';
import { useFollow } from '../../actions/use-follow.js';
import { send } from '../../api/client.js';
import { endpoints } from '../../api/endpoints.js';
import { refusalOf } from '../../api/problem.js';
import type { Write } from '../../state/write.js';
import { t } from '../../texts/index.js';

/** No change reports it. */
const everyMs = 2_000;

/** Follows a write on a car (F20-F23). @returns what is awaited */
export function useCarWrite(write: Write, onApplied: () => void): string {
  const [isUnknown, setUnknown] = useState(false);
  useFollow(write, {
    everyMs,
    read: async () => {
      const { body } = await send(endpoints.carWrite, { params: { commandId: write.key } });
      setUnknown(body.outcome === 'unknown');
      if (body.outcome === 'applied') {
        write.conclude({ is: 'applied' });
        onApplied();
      }
      if (body.outcome === 'rejected') write.conclude({ is: 'rejected', problem: refusalOf(body) });
    },
  });
  // F22: an unknown outcome is one, too, so the next form is another write
  useEffect(() => () => void (isUnknown && write.reset()), [isUnknown, write]);
  return t(isUnknown ? 'write.unknown' : 'write.open');
}

import { EventEmitter } from 'node:events';
import { deferred } from '../../../domain/shared/deferred.js';
import { leasesOn, type Query } from '../lease.js';
import type { Session } from '../session.js';

/** Sessions of an embedded database, which serves one process: notifications stay within this process. */
export class EmbeddedSessions {
  private readonly notifications = new EventEmitter().setMaxListeners(0);

  constructor(private readonly query: Query) {}

  notify(channel: string, payload = ''): void {
    this.notifications.emit(channel, payload);
  }

  open(): Session {
    const { promise: lost, resolve: close } = deferred();
    const listeners: [string, (payload: string) => void][] = [];
    const { notifications } = this;
    const leases = leasesOn(this.query);
    return {
      lost,
      readLeases: leases.read,
      claimLeases: (claim) => leases.claim({ ...claim, backendPid: null }),
      renewLeases: leases.renew,
      releaseLeases: leases.release,
      async listen(channel, onNotify) {
        listeners.push([channel, onNotify]);
        notifications.on(channel, onNotify);
      },
      async close() {
        for (const [channel, onNotify] of listeners) notifications.off(channel, onNotify);
        close();
      },
    };
  }
}

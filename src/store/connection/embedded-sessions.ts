import { EventEmitter } from 'node:events';
import { leasesOn, type Query } from './lease.js';
import type { Session } from './session.js';

/** Sessions of an embedded database: it serves one process, so notifications are this process's own. */
export class EmbeddedSessions {
  private readonly told = new EventEmitter().setMaxListeners(0);

  constructor(private readonly query: Query) {}

  notify(channel: string): void {
    this.told.emit(channel);
  }

  open(): Session {
    let close = () => {};
    const lost = new Promise<void>((resolve) => {
      close = resolve;
    });
    const hearing: [string, () => void][] = [];
    const { told } = this;
    const leases = leasesOn(this.query);
    return {
      lost,
      claimLease: (claim) => leases.claim({ ...claim, backendPid: null }),
      renewLease: (lease, durationMs) => leases.renew(lease, durationMs),
      releaseLease: (lease) => leases.release(lease),
      async listen(channel, heard) {
        hearing.push([channel, heard]);
        told.on(channel, heard);
      },
      async close() {
        for (const [channel, heard] of hearing) told.off(channel, heard);
        close();
      },
    };
  }
}

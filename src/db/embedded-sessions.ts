import { EventEmitter } from 'node:events';
import type { LockHolder, Session } from './session.js';

/** Sessions of an embedded database: it serves one process, so locks and notifications are this process's own. */
export class EmbeddedSessions {
  private readonly locks = new Map<number, Session>();
  private readonly opened = new WeakMap<Session, number>();
  private readonly told = new EventEmitter().setMaxListeners(0);

  notify(channel: string): void {
    this.told.emit(channel);
  }

  holder(key: number): LockHolder | null {
    const session = this.locks.get(key);
    const since = session && this.opened.get(session);
    return since === undefined ? null : { since, address: null };
  }

  open(): Session {
    let close = () => {};
    const lost = new Promise<void>((resolve) => {
      close = resolve;
    });
    const hearing: [string, () => void][] = [];
    const { locks, told } = this;
    const session: Session = {
      lost,
      async tryLock(key) {
        if (!locks.has(key)) locks.set(key, session);
        return locks.get(key) === session;
      },
      async listen(channel, heard) {
        hearing.push([channel, heard]);
        told.on(channel, heard);
      },
      async ping() {},
      async close() {
        for (const [channel, heard] of hearing) told.off(channel, heard);
        for (const [key, holder] of locks) if (holder === session) locks.delete(key);
        close();
      },
    };
    this.opened.set(session, Date.now());
    return session;
  }
}

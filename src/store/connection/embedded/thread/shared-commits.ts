import type { MessagePort } from 'node:worker_threads';
import type { CommitConnections, CommitTogether } from '../../commit.js';
import { notOpenError } from '../../errors.js';
import { commitOn } from '../commit.js';
import { connect } from './connect.js';

/** Commits to an embedded database of another thread: until its first port comes, and while it is not open, they fail. */
export class SharedCommits implements CommitConnections {
  private open: { commit: CommitTogether; port: MessagePort } | undefined;
  private isClosed = false;

  /** Commits go by this port from now on. */
  connect(port: MessagePort): void {
    this.open?.port.close();
    if (this.isClosed) port.close();
    else this.open = { commit: commitOn(connect(port).urgently), port };
  }

  readonly commit: CommitTogether = async (commit) => {
    if (this.open === undefined) throw notOpenError();
    return this.open.commit(commit);
  };

  async close(): Promise<void> {
    this.isClosed = true;
    this.open?.port.close();
  }
}

import type { MessagePort } from 'node:worker_threads';
import type { CommitTogether } from '../commit.js';
import type { CommitConnections } from '../server-commit.js';
import { commitOn } from './commit.js';
import { notOpenError } from './not-open.js';
import { connect } from './thread/connect.js';

/** Commits to an embedded database of another thread: until its first port comes, and while it is not open, they fail. */
export class SharedCommits implements CommitConnections {
  private open: { commit: CommitTogether; port: MessagePort } | undefined;

  /** Commits go by this port from now on. */
  connect(port: MessagePort): void {
    this.open?.port.close();
    const { urgently, ended } = connect(port);
    const open = { commit: commitOn(urgently), port };
    this.open = open;
    void ended.then(() => {
      if (this.open === open) this.open = undefined;
    });
  }

  readonly commit: CommitTogether = async (commit) => {
    if (this.open === undefined) throw notOpenError();
    return this.open.commit(commit);
  };

  async close(): Promise<void> {
    this.open?.port.close();
  }
}

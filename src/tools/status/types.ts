import type { ChangeReader } from '../../store/changes/readers.js';

/** One screen of a deployment. Times are RFC 3339 in UTC. Null: it cannot be read now. */
export interface Status {
  asOf: string;
  /** Of this program. */
  version: string;
  components: Component[];
  /** Each process with a status API: from where it connects to the database; of `handover up` the host of its API. */
  statusApis: ChangeReader[] | null;
  intake: IntakeStatus | null;
  /** Roles whose key the platform refuses (L30). */
  suspendedRoles: string[] | null;
  alerts: OpenAlert[] | null;
  /**
   * Ids of workflows whose tasks fail again and again, the first 200; null also where the server is older than 1.30. Empty also where its
   * setting for this is off.
   */
  stuckWorkflows: string[] | null;
}

export interface Component {
  name: string;
  state: 'ok' | 'failing';
  detail: string;
  /** Of a worker that polls. */
  version?: string;
}

export interface IntakeStatus {
  /** Callbacks that no workflow has yet. */
  waiting: number;
  oldestWaitingSeconds: number | null;
  /** Callbacks that were sent to their reservations and have no verdict yet, and since when the oldest has none. */
  unjudged: number;
  oldestUnjudgedSeconds: number | null;
  deadLetters: number;
  shards: { held: number; of: number; processes: { shards: number; address: string | null }[] };
}

interface OpenAlert {
  kind: string;
  subject: string;
  since: string;
  message: string;
}

/** Where intake and alerts are read: the database of a cluster, or the status API of `handover up`. */
export interface Source {
  name: 'database' | 'status API';
  /** @throws an error whose code or message says why it cannot be read */
  read(): Promise<{
    intake: IntakeStatus;
    alerts: OpenAlert[];
    /** Null: a role of the database that may not read it. */
    statusApis: ChangeReader[] | null;
    detail: string;
  }>;
  close(): Promise<void>;
}

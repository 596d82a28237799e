import { Socket } from 'node:net';
import pg from 'pg';
import { readBackend } from './backend.js';
import { type HeldLease, type LeaseClaim, type LeaseState, leasesOn } from './lease.js';
import { within } from './within.js';

/** A separate connection for leases, whose renewal must not wait for a pool, and for notifications. */
export interface Session {
  /** @returns those that exist */
  readLeases(names: readonly string[]): Promise<LeaseState[]>;
  /** @returns those that are claimed; the others are held by other processes */
  claimLeases(claim: Omit<LeaseClaim, 'backendPid'>): Promise<HeldLease[]>;
  /** @returns those that another process has taken over @throws where the session does not answer within seconds */
  renewLeases(leases: readonly HeldLease[], durationMs: number): Promise<HeldLease[]>;
  releaseLeases(leases: readonly HeldLease[]): Promise<void>;
  /** `onNotify` is called with the payload of each `notify` on `channel`, from any process; behind some poolers never. */
  listen(channel: string, onNotify: (payload: string) => void): Promise<void>;
  /** Resolves when the connection is gone. */
  readonly lost: Promise<void>;
  close(): Promise<void>;
}

/** `changes`: each process with a status API has one, and no other process has. */
export type SessionPurpose = 'session' | 'changes';

/** As the server lists it. */
export const applicationOf = (purpose: SessionPurpose): string => `handover ${purpose}`;

const answerMs = 5_000;

/**
 * A session on a server. The server closes a connection that is silent for some ten seconds (power or network failure); by
 * default that takes hours.
 * @param release shown behind the purpose, where the server lists its sessions
 */
export async function openServerSession(
  url: string,
  purpose: SessionPurpose = 'session',
  release = '',
): Promise<Session> {
  const socket = new Socket();
  const client = new pg.Client({
    connectionString: url,
    stream: () => socket,
    application_name: `${applicationOf(purpose)} ${release}`.trimEnd(),
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
    keepAlive: true,
  });
  const lost = new Promise<void>((resolve) => {
    client.once('end', resolve);
    client.on('error', () => resolve());
  });
  const backendPid = await checkSession(client).catch((error: unknown) => {
    socket.destroy(); // otherwise each attempt would leave a connection behind
    throw error;
  });
  // a server whose system lacks one of them uses its default
  for (const setting of [
    'tcp_keepalives_idle = 5',
    'tcp_keepalives_interval = 2',
    'tcp_keepalives_count = 3',
    'tcp_user_timeout = 10000',
    // one that listens sends nothing for hours; behind a pooler the setting would be another client's
    ...(backendPid === null ? [] : ['idle_session_timeout = 0']),
  ])
    await client.query(`set ${setting}`).catch(() => {});
  const leases = leasesOn((text, values) => client.query(text, values));
  const listeners = new Map<string, (payload: string) => void>();
  client.on('notification', ({ channel, payload = '' }) => listeners.get(channel)?.(payload));
  return {
    lost,
    readLeases: leases.read,
    claimLeases: (claim) => leases.claim({ ...claim, backendPid }),
    renewLeases: leases.renew,
    releaseLeases: leases.release,
    async listen(channel, onNotify) {
      listeners.set(channel, onNotify);
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
    },
    // a silent connection does not block the shutdown
    close: () => within(2_000, client.end()).catch(() => {}),
  };
}

async function checkSession(client: pg.Client): Promise<number | null> {
  await client.connect();
  return readBackend(client);
}

import type { Socket } from 'node:net';
import type { TrustedSenders } from './trusted-senders.js';

export interface ConnectionLimits {
  /** Of one process. */
  connections: number;
  /** Of one sender that is neither trusted nor a proxy. */
  connectionsEach: number;
  /** Of one process, beside the others. */
  streams: number;
}

interface Connection {
  socket: Socket;
  network: string;
  /** By its address: allowed, or a proxy. */
  isExpected: boolean;
  /** `idle`: no request. `reading`: one whose sender is unknown yet. `serving`: one of a known sender. */
  state: 'idle' | 'reading' | 'serving';
  /** Since when it is in this state, as a count that only grows. */
  since: number;
}

/** What is served: staff have half of the connections at most. */
export type Served = 'callback' | 'staff';

/**
 * Bounds how many connections are open. At the bound, the newest is accepted and an unauthenticated one
 * is closed: of the sender with the most connections the one that is idle longest, then one whose request is
 * still arriving. So neither idle connections nor stalled uploads keep a sender out. Trusted senders lose theirs
 * to trusted senders alone, and a request of a known sender is not interrupted.
 */
export class Connections {
  private readonly open = new Map<Socket, Connection>();
  private readonly counts = new Map<string, number>();
  private readonly ofStaff = new Set<Socket>();
  private streams = 0;
  private turn = 0;
  private isEnding = false;

  constructor(
    private readonly limits: ConnectionLimits,
    private readonly senders: Pick<TrustedSenders, 'networkOf' | 'isExpected' | 'isProven'>,
    private readonly onClosed: () => void = () => {},
  ) {}

  /** A connection was opened. At the bound, it or another one is closed. */
  admit(socket: Socket): void {
    if (this.isEnding) {
      socket.destroy();
      return;
    }
    const { remoteAddress } = socket;
    const network = this.senders.networkOf(remoteAddress);
    const isExpected = this.senders.isExpected(remoteAddress);
    const connection: Connection = { socket, network, isExpected, state: 'idle', since: this.turn++ };
    if (!this.admitOrEvict(connection)) {
      socket.destroy();
      this.onClosed();
      return;
    }
    this.open.set(socket, connection);
    this.counts.set(network, this.countOf(network) + 1);
    socket.once('close', () => this.remove(socket));
  }

  /** The headers of a request were received. */
  requestBegan(socket: Socket): void {
    this.change(socket, 'reading');
  }
  /** Its sender is known. */
  senderKnown(socket: Socket, served: Served): void {
    if (served === 'staff') {
      if (this.ofStaff.size >= this.limits.connections / 2) return;
      this.ofStaff.add(socket);
    }
    this.change(socket, 'serving');
  }
  requestEnded(socket: Socket): void {
    this.ofStaff.delete(socket);
    this.change(socket, 'idle');
    // not destroyed: the answer may still be on its way out
    if (this.isEnding) socket.end();
  }

  /**
   * The request is answered by a stream, until its connection closes: from now on the connection takes no other's place.
   * @returns false where there are too many streams
   */
  streamBegan(socket: Socket): boolean {
    if (this.streams >= this.limits.streams) return false;
    this.streams += 1;
    socket.once('close', () => {
      this.streams -= 1;
    });
    this.remove(socket);
    return true;
  }

  /** The server stops: closes each connection without a request at once, and each other one after its answer. */
  end(): void {
    this.isEnding = true;
    for (const { socket, state } of [...this.open.values()]) if (state === 'idle') socket.destroy();
  }

  private admitOrEvict(newest: Connection): boolean {
    const isTrusted = this.isTrusted(newest);
    if (!isTrusted && this.countOf(newest.network) >= this.limits.connectionsEach)
      return this.close(({ network }) => network === newest.network);
    if (this.open.size < this.limits.connections) return true;
    return this.close((one) => !this.isTrusted(one)) || (isTrusted && this.close(() => true));
  }

  private isTrusted({ isExpected, network }: Connection): boolean {
    return isExpected || this.senders.isProven(network);
  }

  /** @returns false where there is none that may be closed */
  private close(isCandidate: (connection: Connection) => boolean): boolean {
    let found: Connection | undefined;
    for (const one of this.open.values()) {
      if (one.state === 'serving' || !isCandidate(one)) continue;
      if (found === undefined || this.goesBefore(one, found)) found = one;
    }
    if (found === undefined) return false;
    this.remove(found.socket);
    found.socket.destroy();
    this.onClosed();
    return true;
  }

  private goesBefore(one: Connection, other: Connection): boolean {
    if (one.state !== other.state) return one.state === 'idle';
    const more = this.countOf(one.network) - this.countOf(other.network);
    return more === 0 ? one.since < other.since : more > 0;
  }

  private change(socket: Socket, state: Connection['state']): void {
    const connection = this.open.get(socket);
    if (connection !== undefined) Object.assign(connection, { state, since: this.turn++ });
  }

  private remove(socket: Socket): void {
    const connection = this.open.get(socket);
    if (connection === undefined) return;
    this.open.delete(socket);
    this.ofStaff.delete(socket);
    const left = this.countOf(connection.network) - 1;
    if (left > 0) this.counts.set(connection.network, left);
    else this.counts.delete(connection.network);
  }

  private countOf(network: string): number {
    return this.counts.get(network) ?? 0;
  }
}

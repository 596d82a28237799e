import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Attack {
  url: string;
  /** Path of a callback. */
  path: string;
  /** `stalled`: uploads that stop before their end. `idle`: connections without a request. */
  kind: 'stalled' | 'idle';
  connections: number;
  /** Local addresses of the connections, used in turn. */
  from: readonly string[];
}

const largest = 250 * 1024;
/** Pause before a closed connection opens again. */
const pauseMs = { stalled: 50, idle: 1_000 };

/** Addresses of this machine, other than the one that the senders use. */
export function loopbackAddresses(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `127.0.${Math.floor(index / 250)}.${2 + (index % 250)}`);
}

/** Clients without the secret. A closed one connects again; after a 503, an upload is half as large. */
export class Attackers {
  private readonly sockets = new Set<Socket>();
  private stopped = false;
  private begun = 0;
  /** Number of connections that the receiver closed or refused. */
  private turnedAway = 0;

  constructor(private readonly attack: Attack) {
    for (let index = 0; index < attack.connections; index++) void this.repeat(index);
  }

  /** Whether the attack has reached the receiver's limits. */
  get isFull(): boolean {
    const { connections, kind } = this.attack;
    const rounds = kind === 'stalled' ? 3 : 0.05;
    return this.begun >= connections && this.turnedAway >= rounds * connections;
  }

  stop(): void {
    this.stopped = true;
    for (const socket of this.sockets) socket.destroy();
  }

  private async repeat(index: number): Promise<void> {
    let size = largest;
    while (!this.stopped) {
      const answer = await this.once(index, size);
      this.turnedAway++;
      size = answer.startsWith('HTTP/1.1 503') && size > 2 ? Math.floor(size / 2) : largest;
      await sleep(pauseMs[this.attack.kind]);
    }
  }

  /** @returns the bytes that the receiver sent before the connection closed */
  private once(index: number, size: number): Promise<string> {
    const { url, from, kind } = this.attack;
    const { hostname, port } = new URL(url);
    const localAddress = from[index % from.length] ?? '127.0.0.2';
    return new Promise((resolve) => {
      const socket = connect({ host: hostname, port: Number(port), localAddress });
      let answer = '';
      this.sockets.add(socket);
      socket.on('connect', () => {
        this.begun++;
        if (kind === 'stalled') socket.write(this.upload(size));
      });
      socket.on('data', (bytes) => {
        answer += bytes.toString('latin1');
        if (answer.startsWith('HTTP/1.1 503')) socket.destroy();
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        this.sockets.delete(socket);
        resolve(answer);
      });
    });
  }

  /** Headers of the right form, and a body without its last byte. */
  private upload(size: number): string {
    const head = [
      `POST ${this.attack.path} HTTP/1.1`,
      'host: x',
      'content-type: application/json',
      `content-length: ${size}`,
      `webhook-id: attack-${Math.random()}`,
      `webhook-timestamp: ${Math.floor(Date.now() / 1000)}`,
      `webhook-signature: v1,${Buffer.alloc(32, 1).toString('base64')}`,
    ];
    return `${head.join('\r\n')}\r\n\r\n${' '.repeat(size - 1)}`;
  }
}

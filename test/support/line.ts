import { connect, createServer, type Server, type Socket } from 'node:net';

/** What a connection of a silent line still passes on: nothing, or what the client sends, whose answers get lost. */
type Passing = 'everything' | 'requests' | 'nothing';

interface Connection {
  near: Socket;
  far: Socket;
  passing: Passing;
  /** What the client has sent since the connection fell silent. */
  held: Buffer[];
}

/** A line to the server that can fall silent without being cut, as on a failover. */
export class Line {
  private readonly connections = new Set<Connection>();
  private silent = false;
  private isCut = false;
  /** Connections that were closed at once. */
  refused = 0;
  private silencing: string | undefined;
  private constructor(
    private readonly listener: Server,
    readonly url: string,
  ) {}

  static async to(address: URL): Promise<Line> {
    const listener = createServer();
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const url = new URL(address);
    url.hostname = '127.0.0.1';
    url.port = String((listener.address() as { port: number }).port);
    const line = new Line(listener, url.href);
    listener.on('connection', (near) => line.join(near, connect(Number(address.port), address.hostname)));
    return line;
  }

  private join(near: Socket, far: Socket): void {
    if (this.isCut) {
      this.refused += 1;
      near.destroy();
      far.destroy();
      return;
    }
    const connection: Connection = { near, far, passing: 'everything', held: [] };
    this.connections.add(connection);
    const passes = () => (this.silent ? 'nothing' : connection.passing);
    near.on('data', (bytes) => {
      if (this.silencing !== undefined && bytes.includes(this.silencing)) {
        connection.passing = 'nothing';
        this.silencing = undefined;
      }
      if (passes() === 'nothing') connection.held.push(bytes);
      else far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (passes() === 'everything') near.write(bytes);
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => {});
      // a silent line does not report to either end that the other is gone
      one.on('close', () => passes() === 'everything' && other.destroy());
    }
  }

  fallSilent(): void {
    this.silent = true;
  }
  /** Every connection breaks, and a new one is closed at once. */
  cut(): void {
    this.isCut = true;
    this.breakOpen();
  }
  private breakOpen(): void {
    for (const { near, far } of this.connections) {
      near.destroy();
      far.destroy();
    }
    this.connections.clear();
  }
  /** The connections that are open now fall silent; new ones work. */
  silenceOpen(passing: Exclude<Passing, 'everything'> = 'nothing'): void {
    for (const connection of this.connections) connection.passing = passing;
  }
  /** The next connection over which the client sends `text` falls silent with it. */
  silenceAt(text: string): void {
    this.silencing = text;
  }
  /** What the silent connections held back reaches the server after all. @returns the ports that it comes from */
  deliverHeld(): number[] {
    const holding = [...this.connections].filter(({ held }) => held.length > 0);
    return holding.map(({ far, held }) => {
      for (const bytes of held.splice(0)) far.write(bytes);
      return far.localPort ?? 0;
    });
  }
  /** Connections of before stay dead, new ones work. */
  comeBack(): void {
    this.silenceOpen();
    this.silent = false;
    this.isCut = false;
  }
  close(): void {
    this.breakOpen();
    this.listener.close();
  }
}

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { host } from './target.js';

/**
 * A proxy between a sandbox and its receiver. It forwards each signed callback unchanged and records the time until its
 * acknowledgement.
 */
export class CallbackWatch {
  private acknowledged: number[] = [];
  private receiver: Pool | undefined;
  private readonly server = createServer((request, response) => {
    this.forward(request).then(
      (status) => response.writeHead(status).end(),
      () => response.writeHead(502).end(),
    );
  });

  /** @returns the address for the sandbox's callbacks */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, host, resolve));
    return `http://${host}:${(this.server.address() as AddressInfo).port}`;
  }

  handTo(url: string, connections: number): void {
    this.receiver = new Pool(url, { connections });
  }

  /** Milliseconds from sending to 2xx, of each callback since the last call. */
  take(): number[] {
    return this.acknowledged.splice(0);
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await this.receiver?.destroy();
  }

  private async forward(request: IncomingMessage): Promise<number> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (this.receiver === undefined) return 503;
    const forwarded = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
    const headers = Object.fromEntries(forwarded.map((name) => [name, String(request.headers[name])]));
    const began = performance.now();
    const { statusCode, body } = await this.receiver.request({
      method: 'POST',
      path: request.url ?? '/',
      headers,
      body: Buffer.concat(chunks),
    });
    await body.dump();
    if (statusCode >= 200 && statusCode < 300) this.acknowledged.push(performance.now() - began);
    return statusCode;
  }
}

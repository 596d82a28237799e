import type { Logger } from '../log.js';

/** What has been started, to be stopped in the opposite order, each part once, whatever the others do. */
export class Stack {
  private readonly parts: { name: string; stop: () => Promise<void> }[] = [];

  constructor(private readonly logger: Logger) {}

  /** Starts one part, and remembers how it stops. */
  async start<T>(name: string, start: () => Promise<T>, stop: (part: T) => Promise<void>): Promise<T> {
    const part = await start();
    this.parts.push({ name, stop: () => stop(part) });
    return part;
  }

  /** Stops all parts, last started first. A part that fails to stop is logged and does not keep the others up. */
  async stop(onPart: (name: string) => void = () => {}): Promise<void> {
    for (let part = this.parts.pop(); part !== undefined; part = this.parts.pop()) {
      onPart(part.name);
      await part.stop().catch((error: unknown) => {
        this.logger.error({ part: part?.name, err: error }, 'part did not stop cleanly');
      });
    }
  }
}

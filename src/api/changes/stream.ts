import { Readable } from 'node:stream';
import type { Change } from '../../store/changes/channel.js';
import type { FeedMessage } from '../../store/changes/feed.js';

/** What changed, or what became of the stream: a reader listens to each of these names. */
export type EventName = Change['event'] | 'reset' | 'degraded' | 'ended' | 'beat';

/** What a reader that takes nothing may leave behind; it connects again, and receives what it missed. */
const mostUnreadBytes = 256 * 1024;
const reconnectAfterMs = 2_000;

/** Server-sent events of one reader. */
export class EventStream extends Readable {
  private isFinished = false;

  constructor() {
    super();
    this.write(`retry: ${reconnectAfterMs}\n\n`);
  }

  override _read(): void {}

  /** Through it both sides notice that the connection is gone. A comment would not do: browsers hide it from the page. */
  beat(): void {
    this.write(eventText('beat', null, []));
  }

  pass(message: FeedMessage): void {
    this.write(bytesOf(message));
  }

  /** @param code why, where the reader is to know */
  finish(code?: string): void {
    if (code !== undefined) this.write(eventText('ended', null, [code]));
    if (!this.destroyed && !this.isFinished) this.push(null);
    this.isFinished = true;
  }

  private write(text: string | Buffer): void {
    if (this.destroyed || this.isFinished) return;
    this.push(text);
    if (this.readableLength > mostUnreadBytes) this.destroy();
  }
}

/** Each message goes to many readers. */
const written = new WeakMap<FeedMessage, Buffer>();

function bytesOf(message: FeedMessage): Buffer {
  const bytes = written.get(message) ?? Buffer.from(textOf(message));
  written.set(message, bytes);
  return bytes;
}

function textOf(message: FeedMessage): string {
  switch (message.kind) {
    case 'position':
      return `id: ${message.id}\n\n`;
    case 'degraded':
      return eventText('degraded', null, [message.degraded]);
    case 'reset':
      return `id: ${message.id}\n${eventText('reset', null, message.degraded === null ? [] : [message.degraded])}`;
    case 'change': {
      const { event, id, codes } = message.change;
      return `id: ${message.id}\n${eventText(event, id, codes)}`;
    }
  }
}

function eventText(event: EventName, id: number | string | null, codes: readonly string[]): string {
  return `event: ${event}\ndata: ${JSON.stringify({ id, codes })}\n\n`;
}

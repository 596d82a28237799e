import type { Receiver } from './deliver.js';

/**
 * A receiver of alerts that gets, beside the `path` of each, its whole address (`url`): a pager or a chat makes a link of it.
 * @param consoleUrl origin at which browsers reach the console; added when a post is sent, so that it is always the present one
 */
export function withConsoleAddress(receiver: Receiver, consoleUrl: string): Receiver {
  return {
    ...receiver,
    deliver: async (message, signal) =>
      receiver.deliver({ ...message, body: addressed(message.body, consoleUrl) }, signal),
  };
}

function addressed(body: Uint8Array, consoleUrl: string): Uint8Array {
  const post = JSON.parse(Buffer.from(body).toString()) as { path?: string };
  // posts of releases before 0.4.0 have no path
  if (post.path === undefined) return body;
  return Buffer.from(JSON.stringify({ ...post, url: consoleUrl + post.path }));
}

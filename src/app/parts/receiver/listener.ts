import { createCallbackServer } from '../../../api/callbacks/server.js';
import type { InboxStore } from '../../../store/callbacks/insert.js';
import type { Stack } from '../../startup/stack.js';

type Server = Parameters<typeof createCallbackServer>[0];

/** Starts the listener for callbacks alone (CALLBACK_PORT). @returns its address */
export async function startListener(
  stack: Stack,
  server: Server,
  { host, port, inbox }: { host: string; port: number; inbox: Pick<InboxStore, 'drained'> },
): Promise<string> {
  const { url } = await stack.start(
    'callback receiver',
    async () => {
      const app = await createCallbackServer(server);
      return { app, url: await app.listen({ host, port }) };
    },
    async ({ app }) => {
      await app.close();
      await inbox.drained();
    },
    'first',
  );
  return url;
}

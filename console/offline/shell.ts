/** Stores the page's files, so that it opens without a connection. Only pages over HTTPS or on this machine can have them. */
export async function storeShell(): Promise<void> {
  if (navigator.serviceWorker === undefined) return;
  // the files of a build are stored at once; without them the page works as long as it stays open
  await navigator.serviceWorker.register('/service-worker.js', { scope: '/go' }).catch(() => {});
}

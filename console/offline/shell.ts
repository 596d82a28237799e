/** Stores the page's files and the texts of the language, so that it opens without a connection. Only pages over HTTPS or on this machine can have them. */
export async function storeShell(language: string): Promise<void> {
  if (navigator.serviceWorker === undefined) return;
  // the files of a build are stored at once; without them the page works as long as it stays open
  await navigator.serviceWorker.register(`/service-worker.js?${language}`, { scope: '/go' }).catch(() => {});
}

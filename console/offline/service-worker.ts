/**
 * Stores the console's files on the phone, so that `/go` opens without a connection. It answers for this page alone: no other
 * screen depends on it, and the API is never stored. Each build is a worker of its own, with a cache of its own.
 */
declare const BUILD: { name: string; files: readonly string[] };

interface LifecycleEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface RequestEvent extends Event {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
interface Worker {
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: LifecycleEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: RequestEvent) => void): void;
}
/** The types of this file are those of a page. */
const worker = self as unknown as Worker;

const page = '/go';
const prefix = 'handover-';
/** A connection that does not answer in this time is none. */
const pageWithinMs = 4_000;

worker.addEventListener('install', (event) => {
  event.waitUntil(store().then(() => worker.skipWaiting()));
});
worker.addEventListener('activate', (event) => {
  event.waitUntil(deleteOthers());
});
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.mode === 'navigate') event.respondWith(newestPage(request));
  else if (pathname.startsWith('/assets/')) event.respondWith(storedAsset(request));
});

/** All files of this build, or none. */
async function store(): Promise<void> {
  const cache = await caches.open(BUILD.name);
  // a stored asset is the same, and the page has just loaded most of them
  await cache.addAll([new Request(page, { cache: 'reload' }), ...BUILD.files]);
}

async function deleteOthers(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== BUILD.name);
  await Promise.all(names.map((name) => caches.delete(name)));
}

/** The server's page; the stored one where no server answers. */
async function newestPage(request: Request): Promise<Response> {
  try {
    const response = await fetch(request, { signal: AbortSignal.timeout(pageWithinMs) });
    if (response.status < 500) return response;
    return (await caches.match(page)) ?? response;
  } catch (error) {
    const stored = await caches.match(page);
    if (stored === undefined) throw error;
    return stored;
  }
}

/** Names of assets contain a hash of their content: a stored one is the same. */
async function storedAsset(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request);
}

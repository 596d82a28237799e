/** What the phone stores: actions and their photos, the jobs that it shows, and who is logged in. Logging out deletes all of it. */
const name = 'handover';
export type StoreName = 'entries' | 'photos' | 'jobs' | 'user';

let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('entries', { keyPath: 'order', autoIncrement: true });
      request.result.createObjectStore('photos');
      request.result.createObjectStore('jobs', { keyPath: 'reservationId' });
      request.result.createObjectStore('user');
    };
    request.onsuccess = () => {
      // another page may remove the database
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
  opened.catch(() => {
    opened = undefined;
  });
  return opened;
}

/**
 * Runs one transaction; it is on the disk when the promise is resolved.
 * @returns the result of the request that `run` returns
 * @throws where the browser cannot store it, such as without space
 */
export async function inStores<Result>(
  stores: StoreName[],
  mode: IDBTransactionMode,
  run: (store: (name: StoreName) => IDBObjectStore) => IDBRequest<Result> | undefined,
): Promise<Result | undefined> {
  const transaction = (await open()).transaction(stores, mode, { durability: 'strict' });
  const request = run((one) => transaction.objectStore(one));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onabort = () => reject(transaction.error);
    transaction.onerror = () => reject(transaction.error);
  });
}

/** Deletes everything. */
export async function deleteAll(): Promise<void> {
  const all: StoreName[] = ['entries', 'photos', 'jobs', 'user'];
  await inStores(all, 'readwrite', (store) => {
    for (const one of all) store(one).clear();
    return undefined;
  });
}

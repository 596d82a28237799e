/** What the phone stores: actions and their photos, the jobs that it shows, and who is logged in. Logging out deletes all of it. */
const name = 'handover';
export type StoreName = 'entries' | 'photos' | 'jobs' | 'user';

/** One that is silent counts as one that cannot be read: neither the work nor the logout waits for it. */
const opensWithinMs = 5_000;

let opened: Promise<IDBDatabase> | undefined;
let isClosed = false;

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
      // another page may remove the database, and the browser may end the connection: the next use opens it again
      request.result.onversionchange = () => {
        request.result.close();
        opened = undefined;
      };
      request.result.onclose = () => {
        opened = undefined;
      };
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
    setTimeout(() => reject(new DOMException('the browser does not answer', 'TimeoutError')), opensWithinMs);
  });
  opened.catch(() => {
    opened = undefined;
  });
  return opened;
}

/**
 * Runs one transaction; it is on the disk when the promise is resolved.
 * @returns the result of the request that `run` returns
 * @throws `DOMException` where the browser cannot store it, such as without space, and for writes after a logout
 */
export async function inStores<Result>(
  stores: StoreName[],
  mode: IDBTransactionMode,
  run: Run<Result>,
): Promise<Result | undefined> {
  if (isClosed && mode === 'readwrite')
    throw new DOMException('the user has logged out', 'InvalidStateError');
  return transact(stores, mode, run);
}

/** Deletes everything, and stores nothing from now on. @throws `DOMException` */
export async function closeStores(): Promise<void> {
  isClosed = true;
  const all: StoreName[] = ['entries', 'photos', 'jobs', 'user'];
  await transact(all, 'readwrite', (store) => {
    for (const one of all) store(one).clear();
    return undefined;
  });
}

type Run<Result> = (store: (name: StoreName) => IDBObjectStore) => IDBRequest<Result> | undefined;

async function transact<Result>(stores: StoreName[], mode: IDBTransactionMode, run: Run<Result>) {
  const transaction = begin(await open(), stores, mode);
  const request = run((one) => transaction.objectStore(one));
  return new Promise<Result | undefined>((resolve, reject) => {
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onabort = () => reject(transaction.error);
    transaction.onerror = () => reject(transaction.error);
  });
}

function begin(database: IDBDatabase, stores: StoreName[], mode: IDBTransactionMode): IDBTransaction {
  try {
    return database.transaction(stores, mode, { durability: 'strict' });
  } catch (error) {
    // its connection is closed: the next use opens another
    opened = undefined;
    throw error;
  }
}

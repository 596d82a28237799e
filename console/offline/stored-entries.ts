import { inStores } from './database.js';
import type { Entry } from './entry.js';

const both = ['entries', 'photos'] as const;

export async function readEntries(): Promise<Entry[]> {
  return (await inStores<Entry[]>(['entries'], 'readonly', (store) => store('entries').getAll())) ?? [];
}

export async function readPhoto({ order }: Entry): Promise<ArrayBuffer | undefined> {
  return inStores<ArrayBuffer>(['photos'], 'readonly', (store) => store('photos').get(order));
}

/** Gives it the next place in the order. The entry and its photo are stored together, or neither. */
export async function addEntry(entry: Omit<Entry, 'order'>, photo: ArrayBuffer | null): Promise<void> {
  await inStores([...both], 'readwrite', (store) => {
    const added = store('entries').add(entry);
    if (photo !== null) added.onsuccess = () => store('photos').add(photo, added.result);
    return added;
  });
}

/** Changes nothing where it has been removed meanwhile. */
export async function updateEntry(entry: Entry): Promise<void> {
  await inStores(['entries'], 'readwrite', (store) => {
    const known = store('entries').getKey(entry.order);
    known.onsuccess = () => {
      if (known.result !== undefined) store('entries').put(entry);
    };
    return known;
  });
}

/** Only as it was shown to the user: what is sent meanwhile, or has an answer, stays. */
export async function removeUnsent({ order, state, key }: Entry): Promise<void> {
  await inStores([...both], 'readwrite', (store) => {
    const known = store('entries').get(order) as IDBRequest<Entry | undefined>;
    known.onsuccess = () => {
      const isAsShown = known.result?.state === state && known.result.key === key;
      if (!isAsShown || state === 'sending') return;
      store('photos').delete(order);
      store('entries').delete(order);
    };
    return known;
  });
}

export async function removeEntry({ order }: Entry): Promise<void> {
  await inStores([...both], 'readwrite', (store) => {
    store('photos').delete(order);
    return store('entries').delete(order);
  });
}

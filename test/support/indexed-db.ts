// biome-ignore-all lint/suspicious/noExplicitAny: these files have no types of a browser

/** A browser's IndexedDB with the stores of the console. The browser may close connections, and fail. */
export class FakeIndexedDb {
  readonly stores: Record<string, Map<unknown, any>> = {};
  isFailing = false;
  private connections: { onclose?(): void; isOpen: boolean }[] = [];

  constructor() {
    for (const name of ['entries', 'photos', 'jobs', 'user']) this.stores[name] = new Map();
  }

  open(): object {
    const request: any = {};
    queueMicrotask(() => {
      if (this.isFailing) return request.onerror();
      request.result = this.connect();
      request.onsuccess();
    });
    return Object.defineProperty(request, 'error', { get: failure });
  }

  /** As browsers do to a page in the background, or when the user deletes the data of a site. */
  closeConnections(): void {
    for (const connection of this.connections.splice(0)) {
      connection.isOpen = false;
      connection.onclose?.();
    }
  }

  private connect(): object {
    const connection = {
      isOpen: true,
      transaction: () => {
        if (!connection.isOpen) throw failure();
        return this.begin();
      },
    };
    this.connections.push(connection);
    return connection;
  }

  private begin(): object {
    const transaction: any = {
      objectStore: (name: string) => storeOf(this.stores[name] as Map<unknown, any>),
    };
    let open = 0;
    // without a request it ends at once
    queueMicrotask(() => open === 0 && transaction.oncomplete());
    const request = (run: () => unknown) => {
      const made: any = { result: run() };
      open++;
      queueMicrotask(() => {
        made.onsuccess?.();
        if (--open === 0) transaction.oncomplete();
      });
      return made;
    };
    const storeOf = (map: Map<unknown, any>) => ({
      get: (key: unknown) => request(() => map.get(key)),
      getAll: () => request(() => [...map.values()]),
      put: (value: any, key = value.order ?? value.reservationId) => request(() => map.set(key, value)),
      delete: (key: unknown) => request(() => void map.delete(key)),
      clear: () => request(() => map.clear()),
    });
    return transaction;
  }
}

function failure(): DOMException {
  return new DOMException('the connection is closed', 'InvalidStateError');
}

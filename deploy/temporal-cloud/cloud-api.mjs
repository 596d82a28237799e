/** The API's version by which this script was written. */
const version = '2024-05-13-00';
const withinMs = 60_000;

/** The HTTP form of Temporal Cloud's operations API. Every call throws with what the service answered. */
export class CloudApi {
  constructor(server, key) {
    this.server = server;
    this.key = key;
  }

  get(path) {
    return this.call('GET', path);
  }

  post(path, body) {
    return this.call('POST', path, body);
  }

  /** All items of a list, page by page. @param field of the answer @param query further parameters */
  async list(path, field, query = {}) {
    const items = [];
    for (let pageToken = ''; ; ) {
      const parameters = new URLSearchParams({ ...query, ...(pageToken !== '' && { pageToken }) });
      const page = await this.get(parameters.size > 0 ? `${path}?${parameters}` : path);
      items.push(...(page[field] ?? []));
      pageToken = page.nextPageToken ?? '';
      if (pageToken === '') return items;
    }
  }

  async call(method, path, body) {
    const response = await fetch(this.server + path, {
      method,
      headers: {
        authorization: `Bearer ${this.key}`,
        'content-type': 'application/json',
        'temporal-cloud-api-version': version,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(withinMs),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
    return JSON.parse(text);
  }
}

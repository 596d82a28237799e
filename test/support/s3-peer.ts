import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { vi } from 'vitest';

interface Stored {
  bytes: Buffer;
  type: string;
  at: Date;
}

/** An S3 server in memory, and the environment by which the AWS SDK finds it. Lists two keys a page. */
export async function s3Peer() {
  const objects = new Map<string, Stored>();
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://s3');
    const [, , ...rest] = decodeURIComponent(url.pathname).split('/');
    const key = rest.join('/');
    const answer = (status: number, body: string | Buffer = '', headers = {}) =>
      response.writeHead(status, headers).end(body);
    const found = objects.get(key);
    if (url.searchParams.get('list-type') === '2') return answer(200, page(objects, url.searchParams));
    if (request.method === 'PUT') {
      const source = request.headers['x-amz-copy-source'];
      const copied = typeof source === 'string' ? objects.get(keyOf(source)) : undefined;
      if (source !== undefined && copied === undefined) return answer(404, error('NoSuchKey'));
      const { 'content-type': type = '' } = request.headers;
      objects.set(key, { ...(copied ?? { bytes: await bodyOf(request), type }), at: new Date() });
      return answer(200, copied === undefined ? '' : '<CopyObjectResult/>');
    }
    if (request.method === 'DELETE') {
      objects.delete(key);
      return answer(204);
    }
    if (found === undefined) return answer(404, request.method === 'HEAD' ? '' : error('NoSuchKey'));
    const { bytes, type, at } = found;
    const headers = {
      'content-length': bytes.length,
      'content-type': type,
      'last-modified': at.toUTCString(),
      etag: '"1"',
    };
    return answer(200, request.method === 'HEAD' ? '' : bytes, headers);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  vi.stubEnv('AWS_ENDPOINT_URL_S3', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv('AWS_REGION', 'eu-north-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  vi.stubEnv('AWS_REQUEST_CHECKSUM_CALCULATION', 'WHEN_REQUIRED');
  const close = async () => {
    vi.unstubAllEnvs();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { objects, close };
}

/** Of `/bucket/key` or `bucket/key`. */
function keyOf(source: string): string {
  return decodeURIComponent(source).replace(/^\//, '').split('/').slice(1).join('/');
}

function page(objects: Map<string, Stored>, asked: URLSearchParams): string {
  const keys = [...objects.keys()].filter((key) => key.startsWith(asked.get('prefix') ?? '')).sort();
  const after = asked.get('continuation-token') ?? '';
  const rest = keys.filter((key) => key > after);
  const shown = rest.slice(0, 2);
  const more =
    rest.length > shown.length ? `<NextContinuationToken>${shown.at(-1)}</NextContinuationToken>` : '';
  const contents = shown.map((key) => {
    const { bytes, at } = objects.get(key) as Stored;
    const size = `<Size>${bytes.length}</Size>`;
    return `<Contents><Key>${key}</Key><LastModified>${at.toISOString()}</LastModified><ETag>"1"</ETag>${size}</Contents>`;
  });
  return `<ListBucketResult>${contents.join('')}${more}</ListBucketResult>`;
}

const error = (code: string) => `<Error><Code>${code}</Code></Error>`;

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

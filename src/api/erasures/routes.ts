import type { Certificate } from '../../store/erasure/certificates.js';
import { callerOf } from '../http/auth.js';
import type { Api, RouteContext } from '../http/context.js';
import { listRoute } from '../http/list-route.js';
import type { WriteMoment } from '../http/moments.js';
import { problems } from '../http/problem-schema.js';
import { recordFound } from './record-found.js';
import { certificateList, certificateQuery, erasure, erasureBody } from './schemas.js';

/**
 * Erasures of personal data, and their certificates. A request needs no key: what was erased is not erased again, and a repeat
 * is answered so.
 */
export function erasureRoutes(api: Api, context: RouteContext): void {
  const { deps, write, requires } = context;

  api.post(
    '/api/erasures',
    {
      onRequest: requires('manager'),
      schema: {
        summary: 'Erase the personal data of closed reservations, or of all closed reservations of a person',
        tags: ['operations'],
        body: erasureBody,
        response: { 200: erasure, ...problems },
      },
    },
    async (request) => {
      const { name: by } = callerOf(request);
      const { dryRun, ...wanted } = request.body;
      if (dryRun) {
        const preview = await deps.erasures.preview(wanted);
        if ('driver' in wanted) await recordFound(deps, by, preview);
        return { certificate: null, ...preview };
      }
      const { certificate, refused } =
        'driver' in wanted
          ? await deps.erasures.eraseDriver(wanted.driver, by)
          : await deps.erasures.erase({ reservations: [], ...wanted, by, cause: 'reservation' });
      if ('driver' in wanted) await recordFound(deps, by, { refused });
      return { certificate: certificate && show(certificate, write), refused };
    },
  );

  listRoute(api, context, {
    path: '/api/erasures',
    role: 'manager',
    summary: 'Certificates of what was erased',
    tag: 'operations',
    query: certificateQuery,
    answer: certificateList,
    read: (query) => deps.erasures.list(query),
    show,
  });
}

function show({ id, at, ...certificate }: Certificate, write: WriteMoment) {
  return { certificateId: id, at: write(at), ...certificate };
}

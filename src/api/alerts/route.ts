import type { Alert } from '../../store/alerts/alerts.js';
import { placeOfAlert } from '../../store/alerts/places.js';
import type { Api, RouteContext } from '../http/context.js';
import { listRoute } from '../http/list-route.js';
import type { WriteMoment } from '../http/moments.js';
import type { Render } from '../http/sentences.js';
import { alertList, alertQuery } from './schemas.js';

/** GET /api/alerts: alerts that belong to no reservation; those of a reservation are in its `attention`. */
export function alertRoute(api: Api, context: RouteContext): void {
  const { deps } = context;
  listRoute(api, context, {
    path: '/api/alerts',
    role: 'viewer',
    summary: 'Alerts that belong to no reservation',
    tag: 'operations',
    query: alertQuery,
    answer: alertList,
    read: (query) => deps.alerts.list(query),
    hasSentences: true,
    show: showAlert,
  });
}

export function showAlert(
  { kind, subject, since, message, clearedAt }: Alert,
  write: WriteMoment,
  render: Render,
) {
  return {
    kind,
    subject,
    since: write(since),
    message: render(message),
    path: placeOfAlert(kind, message),
    clearedAt: clearedAt === null ? null : write(clearedAt),
  };
}

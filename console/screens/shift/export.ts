import { endpoints } from '../../api/endpoints.js';
import { readPages } from '../../api/read-pages.js';
import { toLocal } from '../../design/time.js';
import { me } from '../../state/session.js';
import { t, textOf } from '../../texts/index.js';
import { toCsv } from './csv.js';
import { deedText, outcomeText } from './deed-text.js';

const head = ['time', 'person', 'action', 'subject', 'item', 'outcome'] as const;

/** All that happened since then, also where the screen shows only the newest. @throws `ApiError` */
export async function csvSince(since: string): Promise<string> {
  const { items } = await readPages(endpoints.activity, { query: { since } });
  const rows = items.map((entry) => [
    `${toLocal(entry.at).replace('T', ' ')} ${me()?.timeZone ?? ''}`,
    entry.by ?? '',
    deedText(entry.action),
    entry.subject,
    typeof entry.data.kind === 'string' ? textOf('attention', entry.data.kind) : '',
    outcomeText(entry),
  ]);
  return toCsv([head.map((name) => t(`csv:${name}`)), ...rows]);
}

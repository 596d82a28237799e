import { rowShortcuts } from '../../shortcuts/row-focus.js';
import { type Shortcut, useShortcuts } from '../../shortcuts/shortcuts.js';
import { place } from '../../state/router.js';
import { t } from '../../texts/index.js';
import { CallbackPanel } from './callback.js';
import { CallbackList } from './list.js';
import { filtersOf, toApiQuery } from './query.js';
import { Search } from './search.js';

const row = '.callback-row > a';
const shortcuts: Shortcut[] = [
  {
    keys: '/',
    name: () => t('shortcuts.search'),
    run: () => document.getElementById('search-reservation')?.focus(),
  },
  ...rowShortcuts(row),
];

/** Search on the left, one callback on the right; on a phone the callback takes the place of the list. */
export function InboxView() {
  useShortcuts(shortcuts);
  const { query } = place.value;
  const id = Number(query.get('id'));
  const isOpen = Number.isSafeInteger(id) && id > 0;
  const filter = toApiQuery(filtersOf(query));
  const key = JSON.stringify(filter);
  return (
    <div class={isOpen ? 'inbox one-open' : 'inbox'}>
      <div class="stack list-side">
        <Search key={`search ${key}`} />
        <CallbackList key={key} query={filter} open={isOpen ? id : null} />
      </div>
      <div class="detail-side">
        {isOpen ? <CallbackPanel key={id} id={id} /> : <p class="empty panel">{t('in.pick')}</p>}
      </div>
    </div>
  );
}

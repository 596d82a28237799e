import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { attentionKinds } from '../../../src/domain/reservation/types.js';
import type { LaneName } from '../../api/types.js';
import { Field } from '../../design/field.js';
import { OptionsNotRead } from '../../design/load.js';
import { useProducts } from '../../state/products.js';
import type { Loaded } from '../../state/resource.js';
import { place, setQuery } from '../../state/router.js';
import { me } from '../../state/session.js';
import { staffList } from '../../state/staff.js';
import { t, textOf } from '../../texts/index.js';
import { laneNames } from './arrangement.js';

const ofBoard = ['q', 'owner', 'productId', 'attention'] as const;
type FilterName = (typeof ofBoard)[number] | 'lane';
const names: readonly string[] = ofBoard;

/** What of the address filters rows, as the API takes it. */
export function boardQuery(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...query].filter(([name, value]) => value !== '' && names.includes(name)));
}

/** The one lane that the address names; null: all. */
export function chosenLane(query: URLSearchParams): LaneName | null {
  return laneNames.find((lane) => lane === query.get('lane')) ?? null;
}

const isOpen = signal(false);

/** Opens the fields, and is ready for a text: before the next key, which is typed into it. */
export async function openFilter(): Promise<void> {
  isOpen.value = true;
  // the render is a microtask, too
  await null;
  document.getElementById('board-filter')?.focus();
}

/** The filters of the board, which the address has. */
export function Filters() {
  const { query } = place.value;
  const chosen = Object.keys(boardQuery(query)).length + (chosenLane(query) === null ? 0 : 1);
  useEffect(() => {
    if (chosen > 0) isOpen.value = true;
  }, []);
  return (
    <search class="board-filters">
      <details open={isOpen.value} onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
        <summary>
          {t('filter.title')} {chosen > 0 && <span class="count">{chosen}</span>}
        </summary>
        {isOpen.value && <Fields query={query} />}
      </details>
      {chosen > 0 && (
        <a class="button quiet" href="/" aria-keyshortcuts="0">
          {t('filter.clear')}
        </a>
      )}
    </search>
  );
}

function Fields({ query }: { query: URLSearchParams }) {
  const products = useProducts().state.value;
  const staff = staffList().state.value;
  useEffect(() => void staffList().refresh(), []);
  const mine = me()?.name ?? '';
  const others = staff.is === 'ready' ? staff.data.filter(({ name }) => name !== mine) : [];
  const owners = [[mine, t('filter.me', { name: mine })], ...others.map(({ name }) => [name, name])];
  const known = products.is === 'ready' ? products.data : [];
  return (
    <div class="fields">
      <Field label={t('filter:q')}>
        <input
          id="board-filter"
          type="search"
          maxLength={40}
          autocomplete="off"
          defaultValue={query.get('q') ?? ''}
          onChange={({ currentTarget }) => setQuery({ q: currentTarget.value.trim() })}
        />
      </Field>
      <Choice name="owner" query={query} options={owners} of={staff} />
      <Choice
        name="productId"
        query={query}
        of={products}
        options={known.map(({ productId, productName }) => [String(productId), productName ?? ''])}
      />
      <Choice
        name="attention"
        query={query}
        options={attentionKinds.map((kind) => [kind, textOf('attention', kind)])}
      />
      <Choice name="lane" query={query} options={laneNames.map((lane) => [lane, t(`lane:${lane}`)])} />
    </div>
  );
}

/** What the address names is an option, also while the others are not loaded. */
function Choice(props: {
  name: FilterName;
  query: URLSearchParams;
  options: readonly string[][];
  of?: Loaded<unknown>;
}) {
  const { name, query, options, of } = props;
  const chosen = query.get(name) ?? '';
  const isKnown = chosen === '' || options.some(([value]) => value === chosen);
  return (
    <Field label={t(`filter:${name}`)}>
      <select onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}>
        <option value="">{t('filter.any')}</option>
        {[...(isKnown ? [] : [[chosen, chosen]]), ...options].map(([value, text]) => (
          <option key={value} value={value} selected={value === chosen}>
            {text || value}
          </option>
        ))}
        {of !== undefined && <OptionsNotRead of={of} />}
      </select>
    </Field>
  );
}

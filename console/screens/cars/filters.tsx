import type { Car } from '../../api/types.js';
import { Field } from '../../design/field.js';
import { OptionsNotRead } from '../../design/load.js';
import { MomentField } from '../../design/moment-field.js';
import { useProducts } from '../../state/products.js';
import { place, setQuery } from '../../state/router.js';
import { t } from '../../texts/index.js';

/** Which cars are shown; the address has it. */
export interface Filters {
  plate: string;
  model: string;
  product: number | null;
  freeFrom: string;
  freeTo: string;
}

export function filtersOf(query: URLSearchParams): Filters {
  const text = (name: string) => query.get(name) ?? '';
  const product = Number(query.get('product'));
  return {
    plate: text('plate'),
    model: text('model'),
    product: product > 0 ? product : null,
    freeFrom: text('freeFrom'),
    freeTo: text('freeTo'),
  };
}

export function FilterBar({ cars }: { cars: readonly Car[] }) {
  const filters = filtersOf(place.value.query);
  const products = useProducts().state.value;
  const models = [...new Set(cars.map(({ detailModelName }) => detailModelName))].filter(
    (model): model is string => model !== null,
  );
  const isAny = Object.values(filters).every((value) => value === '' || value === null);
  const change = (name: keyof Filters) => (event: { currentTarget: { value: string } }) =>
    setQuery({ [name]: event.currentTarget.value.trim() });
  return (
    <search class="panel car-filters" aria-label={t('cars.filters')}>
      <Field label={t('cars.plate')}>
        <input
          id="car-plate"
          type="search"
          autocomplete="off"
          defaultValue={filters.plate}
          onChange={change('plate')}
        />
      </Field>
      <Field label={t('cars.model')}>
        <select onChange={change('model')}>
          <option value="">{t('filter.any')}</option>
          {models.sort().map((model) => (
            <option key={model} value={model} selected={model === filters.model}>
              {model}
            </option>
          ))}
        </select>
      </Field>
      <Field label={t('facts.product')}>
        <select onChange={change('product')}>
          <option value="">{t('filter.any')}</option>
          {products.is === 'ready' &&
            products.data.map(({ productId, productName }) => (
              <option key={productId} value={productId} selected={productId === filters.product}>
                {productName ?? productId}
              </option>
            ))}
          <OptionsNotRead of={products} />
        </select>
      </Field>
      {(['freeFrom', 'freeTo'] as const).map((name) => (
        <MomentField
          key={name}
          label={t(`cars:${name}`)}
          value={filters[name]}
          onChange={change(name)}
          title={t('cars.freeHint')}
        />
      ))}
      {!isAny && (
        <a class="button quiet" href="/cars" aria-keyshortcuts="0">
          {t('filter.clear')}
        </a>
      )}
    </search>
  );
}

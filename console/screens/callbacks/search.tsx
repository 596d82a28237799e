import { verdicts } from '../../../src/domain/reservation/types.js';
import { textIn } from '../../actions/text-in.js';
import { withSearch } from '../../api/with-search.js';
import { Button } from '../../design/button.js';
import { Field } from '../../design/field.js';
import { MomentField } from '../../design/moment-field.js';
import { navigate, place } from '../../state/router.js';
import { t, textOf } from '../../texts/index.js';
import { addressWith, filterNames, filtersOf } from './query.js';

const states = ['received', 'sent', 'done', 'dead'];
const channels = ['registration', 'update', 'car', 'status'];

/** The filters, which the address has. A callback's id opens it. */
export function Search() {
  const { query } = place.value;
  const filters = filtersOf(query);
  const submit = (form: HTMLFormElement) => {
    const data = new FormData(form);
    const id = Number(data.get('id'));
    if (id > 0) {
      navigate(addressWith(query, id));
      return;
    }
    const next = new URLSearchParams();
    for (const name of filterNames) {
      const value = textIn(data, name);
      if (value !== '') next.set(name, value);
    }
    navigate(withSearch('/in', next));
  };
  return (
    <search class="panel">
      <form
        class="search"
        aria-label={t('search.title')}
        onSubmit={(event) => {
          event.preventDefault();
          submit(event.currentTarget);
        }}
      >
        <Field label={t('search.reservation')}>
          <input
            id="search-reservation"
            name="reservation"
            inputMode="numeric"
            pattern="[1-9][0-9]*"
            autocomplete="off"
            defaultValue={filters.reservation}
          />
        </Field>
        <Field label={t('search.id')}>
          <input name="id" inputMode="numeric" pattern="[1-9][0-9]*" autocomplete="off" />
        </Field>
        <Choice name="verdict" values={verdicts} chosen={filters.verdict} prefix="verdict" />
        <Choice name="state" values={states} chosen={filters.state} prefix="inbox" />
        <Choice name="channel" values={channels} chosen={filters.channel} prefix="channel" />
        <div class="row wrap">
          <details open={filters.from !== undefined || filters.to !== undefined}>
            <summary class="small">{t('search.more')}</summary>
            <div class="two">
              {(['from', 'to'] as const).map((name) => (
                <MomentField
                  key={name}
                  label={t(`search:${name}`)}
                  name={name}
                  defaultValue={filters[name]}
                />
              ))}
            </div>
          </details>
          <span class="grow" />
          <Button type="submit" kind="primary" icon="search">
            {t('shortcuts.search')}
          </Button>
          {Object.keys(filters).length > 0 && (
            <a class="button quiet" href="/in" aria-keyshortcuts="0">
              {t('filter.clear')}
            </a>
          )}
        </div>
      </form>
    </search>
  );
}

function Choice(props: {
  name: 'verdict' | 'state' | 'channel';
  values: readonly string[];
  chosen: string | undefined;
  prefix: string;
}) {
  const { name, values, chosen = '', prefix } = props;
  return (
    <Field label={t(`search:${name}`)}>
      <select name={name} onChange={({ currentTarget }) => currentTarget.form?.requestSubmit()}>
        <option value="">{t('filter.any')}</option>
        {values.map((value) => (
          <option key={value} value={value} selected={value === chosen}>
            {textOf(prefix, value)}
          </option>
        ))}
      </select>
    </Field>
  );
}

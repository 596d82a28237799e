import './cars.css';
import { Load } from '../../design/load.js';
import { Notice } from '../../design/notice.js';
import { rowShortcuts } from '../../shortcuts/row-focus.js';
import { type Shortcut, useShortcuts } from '../../shortcuts/shortcuts.js';
import { place } from '../../state/router.js';
import { t } from '../../texts/index.js';
import { CarDrawer, closeDrawer } from './drawer.js';
import { FilteredCars } from './filtered-cars.js';
import { FilterBar, filtersOf } from './filters.js';
import { OldData } from './old-data.js';
import { type Fleet, useFleet } from './reads.js';

const row = '.car-row > a';
const shortcuts: Shortcut[] = [
  { keys: '/', name: () => t('shortcuts.filter'), run: () => document.getElementById('car-plate')?.focus() },
  ...rowShortcuts(row),
  { keys: 'Escape', name: () => t('shortcuts.close'), run: closeDrawer },
];

/** What takes each car, day by day, and one car with what can be done with it. */
export function CarsScreen() {
  useShortcuts(shortcuts);
  const { query } = place.value;
  const filters = filtersOf(query);
  const fleet = useFleet(filters.plate);
  const car = Number(query.get('car'));
  return (
    <div class={car > 0 ? 'cars with-drawer' : 'cars'}>
      <h1 class="only-spoken">{t('nav.cars')}</h1>
      <div class="stack">
        <Load of={fleet}>
          {(data) => (
            <>
              <FilterBar cars={data.cars} />
              <FleetNotices fleet={data} />
              <FilteredCars fleet={data} filters={filters} open={car} />
            </>
          )}
        </Load>
      </div>
      {car > 0 && <CarDrawer key={car} id={car} />}
    </div>
  );
}

function FleetNotices({ fleet }: { fleet: Fleet }) {
  const { isWhole, unreadable } = fleet;
  return (
    <>
      <OldData of={fleet} />
      {unreadable > 0 && (
        <Notice tone="warn" icon="alert">
          {t('cars.unreadable', { n: unreadable })}
        </Notice>
      )}
      {!isWhole && <Notice icon="search">{t('cars.moreUnread')}</Notice>}
    </>
  );
}

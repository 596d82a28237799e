import './cars.css';
import { useState } from 'preact/hooks';
import type { Car } from '../../api/types.js';
import { Button } from '../../design/button.js';
import { Empty, Load } from '../../design/load.js';
import { Notice } from '../../design/notice.js';
import { toInstant, toLocal } from '../../design/time.js';
import { rowShortcuts } from '../../shortcuts/row-focus.js';
import { type Shortcut, useShortcuts } from '../../shortcuts/shortcuts.js';
import { serviceTime } from '../../state/clock.js';
import { place, setQuery } from '../../state/router.js';
import { t } from '../../texts/index.js';
import { Axis, Legend } from './axis.js';
import { isFree } from './bars.js';
import { CarDrawer } from './drawer.js';
import { FilterBar, type Filters, filtersOf } from './filters.js';
import { OldData } from './old-data.js';
import { addDays, readShown, type Shown } from './period.js';
import { type Fleet, useFleet, useProduct, useSchedule } from './reads.js';
import { CarRow } from './row.js';

const row = '.car-row > a';
const move = (days: number) => {
  const shown = readShown(place.value.query);
  setQuery({ from: addDays(shown, days * shown.days) });
};
const shortcuts: Shortcut[] = [
  { keys: '/', name: () => t('shortcuts.filter'), run: () => document.getElementById('car-plate')?.focus() },
  ...rowShortcuts(row),
  { keys: 'Escape', name: () => t('shortcuts.close'), run: () => setQuery({ car: null }) },
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

interface CarsProps {
  fleet: Fleet;
  filters: Filters;
  open: number;
}

/** By product: its cars are read first. */
function FilteredCars(props: CarsProps) {
  const { product } = props.filters;
  return product === null ? (
    <FreeCars {...props} />
  ) : (
    <CarsOfProduct key={product} {...props} product={product} />
  );
}

function CarsOfProduct({ product, ...props }: CarsProps & { product: number }) {
  return (
    <Load of={useProduct(product)}>
      {({ cars }) => {
        const ids = new Set(cars.map(({ carId }) => carId));
        return (
          <FreeCars
            {...props}
            fleet={{ ...props.fleet, cars: props.fleet.cars.filter(({ carId }) => ids.has(carId)) }}
          />
        );
      }}
    </Load>
  );
}

/** By a free period: what takes the cars in it is read first. */
function FreeCars({ fleet, filters, open }: CarsProps) {
  const { model, freeFrom, freeTo } = filters;
  const cars = fleet.cars.filter(({ detailModelName }) => model === '' || detailModelName === model);
  const from = Date.parse(toInstant(freeFrom) ?? '');
  const to = Date.parse(toInstant(freeTo) ?? '');
  if (freeFrom === '' && freeTo === '') return <CarBars cars={cars} open={open} />;
  // every car would look free
  if (!(from < to))
    return (
      <Notice tone="warn" icon="search">
        {t('cars.freeIncomplete')}
      </Notice>
    );
  return <CarsFreeBetween key={`${from} ${to}`} cars={cars} from={from} to={to} open={open} />;
}

function CarsFreeBetween(props: { cars: Car[]; from: number; to: number; open: number }) {
  const { cars, from, to, open } = props;
  return (
    <Load of={useSchedule(from, to)}>
      {(taken) => (
        <CarBars
          cars={cars.filter(({ carId }) => isFree(taken.get(carId), from, to, serviceTime()))}
          open={open}
        />
      )}
    </Load>
  );
}

/** Rows are added, and what takes their cars is read, so many at a time. */
const pageSize = 60;

function CarBars({ cars, open }: { cars: readonly Car[]; open: number }) {
  const shown = readShown(place.value.query);
  const [count, setCount] = useState(pageSize);
  return (
    <section class="panel bars" aria-label={t('nav.cars')}>
      <Axis shown={shown} move={move} />
      {addDays(shown, 1) <= toLocal(serviceTime()) && <p class="soft small">{t('cars.past')}</p>}
      {cars.length === 0 ? (
        <Empty>{t('cars.empty')}</Empty>
      ) : (
        Array.from({ length: Math.ceil(Math.min(count, cars.length) / pageSize) }, (_, page) => (
          <Rows
            key={page}
            cars={cars.slice(page * pageSize, (page + 1) * pageSize)}
            shown={shown}
            open={open}
          />
        ))
      )}
      <footer class="row wrap">
        <span class="soft small">
          {t('cars.count', { shown: Math.min(count, cars.length), count: cars.length })}
        </span>
        {count < cars.length && (
          <Button icon="down" onClick={() => setCount(count + pageSize)}>
            {t('cars.more')}
          </Button>
        )}
        <span class="grow" />
        <Legend />
      </footer>
    </section>
  );
}

function Rows({ cars, shown, open }: { cars: readonly Car[]; shown: Shown; open: number }) {
  const schedule = useSchedule(
    shown.start,
    shown.end,
    cars.map(({ carId }) => carId),
  );
  return (
    <Load of={schedule}>
      {(taken) => (
        <ul>
          {cars.map((car) => (
            <CarRow
              key={car.carId}
              car={car}
              schedule={taken.get(car.carId)}
              shown={shown}
              isOpen={car.carId === open}
            />
          ))}
        </ul>
      )}
    </Load>
  );
}

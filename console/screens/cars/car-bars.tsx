import { useState } from 'preact/hooks';
import type { Car } from '../../api/types.js';
import { Button } from '../../design/button.js';
import { Empty, Load } from '../../design/load.js';
import { Notice } from '../../design/notice.js';
import { place } from '../../state/router.js';
import { t } from '../../texts/index.js';
import { Axis, Legend } from './axis.js';
import { addDays, readShown, type Shown, today } from './period.js';
import { useSchedule } from './reads.js';
import { CarRow } from './row.js';

/** Rows are added, and what takes their cars is read, so many at a time. */
const pageSize = 60;

/** A row of bars for each car, below the axis of the shown days. */
export function CarBars({ cars, open }: { cars: readonly Car[]; open: number }) {
  const shown = readShown(place.value.query);
  const [count, setCount] = useState(pageSize);
  return (
    <section class="panel bars" aria-label={t('nav.cars')}>
      <Axis shown={shown} />
      {addDays(shown, 1) <= today.value && <Notice icon="search">{t('cars.past')}</Notice>}
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
          <Button icon="down" shortcut="+" onClick={() => setCount(count + pageSize)}>
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

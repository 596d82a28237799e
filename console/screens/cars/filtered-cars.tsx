import type { Car } from '../../api/types.js';
import { Load } from '../../design/load.js';
import { Notice } from '../../design/notice.js';
import { toInstant } from '../../design/time.js';
import { serviceTime } from '../../state/clock.js';
import { t } from '../../texts/index.js';
import { isFree } from './bars.js';
import { CarBars } from './car-bars.js';
import type { Filters } from './filters.js';
import { OldData } from './old-data.js';
import { type Fleet, useProduct, useSchedule } from './reads.js';

interface CarsProps {
  fleet: Fleet;
  filters: Filters;
  open: number;
}

/** By product: its cars are read first. */
export function FilteredCars(props: CarsProps) {
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
      {(read) => {
        const ids = new Set(read.cars.map(({ carId }) => carId));
        const cars = props.fleet.cars.filter(({ carId }) => ids.has(carId));
        return (
          <>
            <OldData of={read} />
            <FreeCars {...props} fleet={{ ...props.fleet, cars }} />
          </>
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

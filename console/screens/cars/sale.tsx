import { useState } from 'preact/hooks';
import { ReasonField } from '../../actions/reason-field.js';
import { textIn } from '../../actions/text-in.js';
import { WriteDialog } from '../../actions/write-dialog.js';
import { endpoints } from '../../api/endpoints.js';
import type { CarDetail, Product } from '../../api/types.js';
import { Button } from '../../design/button.js';
import { Load } from '../../design/load.js';
import { carName, Mark } from '../../design/mark.js';
import { useProducts } from '../../state/products.js';
import { may } from '../../state/session.js';
import { useFormWrite } from '../../state/write.js';
import { t } from '../../texts/index.js';
import { useCarWrite } from './car-write.js';
import { OldData } from './old-data.js';
import { useProduct } from './reads.js';

/** Each is a reading of its own. */
const mostProducts = 10;

/** Whether the car is on sale in each product of its model. */
export function Sale({ car }: { car: CarDetail }) {
  const { detailModelName } = car;
  return detailModelName === null ? (
    <p class="soft">{t('car.noSale')}</p>
  ) : (
    <SaleOf car={car} model={detailModelName} />
  );
}

function SaleOf({ car, model }: { car: CarDetail; model: string }) {
  return (
    <Load of={useProducts(model)}>
      {(products) => {
        // the platform may ignore the filter
        const fitting = products.filter(({ detailModelName }) => detailModelName === model);
        if (fitting.length === 0) return <p class="soft">{t('car.noSale')}</p>;
        return (
          <ul class="stack tight">
            {fitting.slice(0, mostProducts).map((product) => (
              <SaleIn key={product.productId} product={product} car={car} />
            ))}
          </ul>
        );
      }}
    </Load>
  );
}

function SaleIn({ product: { productId, productName }, car }: { product: Product; car: CarDetail }) {
  const product = useProduct(productId);
  const [isOpen, setOpen] = useState(false);
  const name = productName ?? String(productId);
  return (
    <li class="row wrap">
      <span class="grow">{name}</span>
      <Load of={product}>
        {(read) => {
          const held = read.cars.find(({ carId }) => carId === car.carId);
          if (held === undefined) return <span class="soft">{t('car.notInProduct')}</span>;
          const isOnSale = held.saleYn === 'Y';
          return (
            <>
              <OldData of={read} />
              <Mark icon={isOnSale ? 'done' : 'cancelled'} tone={isOnSale ? 'good' : 'quiet'}>
                {t(isOnSale ? 'car.onSale' : 'car.offSale')}
              </Mark>
              {may('manager') && (
                <Button shortcut="v" onClick={() => setOpen(true)}>
                  {t(isOnSale ? 'sale.stop' : 'sale.resume')}
                </Button>
              )}
              {isOpen && (
                <SaleDialog
                  car={car}
                  productId={productId}
                  name={name}
                  isOnSale={isOnSale}
                  changed={() => void product.refresh()}
                  onClose={() => setOpen(false)}
                />
              )}
            </>
          );
        }}
      </Load>
    </li>
  );
}

interface SaleProps {
  car: CarDetail;
  productId: number;
  name: string;
  isOnSale: boolean;
  changed(): void;
  onClose(): void;
}

function SaleDialog({ car, productId, name, isOnSale, changed, onClose }: SaleProps) {
  // what the form does stays, also once the product shows its effect
  const [stops] = useState(isOnSale);
  const params = { id: productId, carId: car.carId };
  const write = useFormWrite(endpoints.saleStatus, { ...params, stops });
  const awaited = useCarWrite(write, changed);
  return (
    <WriteDialog
      title={t('sale.title', { plate: carName(car), product: name })}
      submit={t(stops ? 'sale.stop' : 'sale.resume')}
      endpoint={endpoints.saleStatus}
      params={params}
      body={(data) => ({ saleYn: stops ? 'N' : 'Y', reason: textIn(data, 'reason') })}
      onApplied={changed}
      awaited={awaited}
      write={write}
      onClose={onClose}
    >
      <p>{t(stops ? 'sale.stopHint' : 'sale.resumeHint')}</p>
      <ReasonField />
    </WriteDialog>
  );
}

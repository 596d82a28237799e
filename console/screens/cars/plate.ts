import type { CarDetail } from '../../api/types.js';
import { t } from '../../texts/index.js';

/** What a title names a car by. */
export const plateOf = ({ carNumber, carId }: Pick<CarDetail, 'carNumber' | 'carId'>): string =>
  carNumber ?? t('car.id', { id: carId });

import { usePlates } from '../state/plates.js';
import { Plate } from './mark.js';

/** The plate of a car of which only the id is known. */
export function PlateOf({ carId }: { carId: number }) {
  const plates = usePlates().state.value;
  return <Plate number={(plates.is === 'ready' && plates.data.get(carId)) || null} carId={carId} />;
}

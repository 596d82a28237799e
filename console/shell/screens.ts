import type { FunctionComponent } from 'preact';
import type { IconName } from '../design/icon.js';
import { CallbacksScreen } from '../screens/callbacks/callbacks.js';
import { CarsScreen } from '../screens/cars/cars.js';
import { FieldScreen } from '../screens/go/go.js';
import { NowScreen } from '../screens/now/now.js';
import { ReservationScreen } from '../screens/reservation/reservation.js';
import { ShiftScreen } from '../screens/shift/shift.js';
import { paths, type ScreenName } from '../state/paths.js';
import type { Text } from '../texts/index.js';

interface NavigationEntry {
  href: string;
  text: Text;
  icon: IconName;
  /** The second key of its shortcut, after `g`. */
  key: string;
}

/** `id` is the number in the path. */
export const screens: Readonly<Record<ScreenName, FunctionComponent<{ id: number }>>> = {
  now: NowScreen,
  reservation: ReservationScreen,
  field: FieldScreen,
  cars: CarsScreen,
  callbacks: CallbacksScreen,
  shift: ShiftScreen,
};

export const navigation: readonly NavigationEntry[] = [
  { href: paths.now, text: 'nav.now', icon: 'now', key: 'n' },
  { href: paths.field, text: 'nav.field', icon: 'field', key: 'f' },
  { href: paths.cars, text: 'nav.cars', icon: 'car', key: 'c' },
  { href: paths.callbacks, text: 'nav.callbacks', icon: 'inbox', key: 'i' },
  { href: paths.shift, text: 'nav.shift', icon: 'shift', key: 's' },
];

import type { FunctionComponent } from 'preact';
import type { IconName } from '../design/icon.js';
import { CallbacksScreen } from '../screens/callbacks/callbacks.js';
import { CarsScreen } from '../screens/cars/cars.js';
import { FieldScreen } from '../screens/go/go.js';
import { NowScreen } from '../screens/now/now.js';
import { ReservationScreen } from '../screens/reservation/reservation.js';
import { ShiftScreen } from '../screens/shift/shift.js';
import type { Text } from '../texts/index.js';

interface ScreenAt {
  path: RegExp;
  /** `id` is the number in the path. */
  screen: FunctionComponent<{ id: number }>;
}
interface NavigationEntry {
  href: string;
  text: Text;
  icon: IconName;
  /** The second key of its shortcut, after `g`. */
  key: string;
}

export const screens: readonly ScreenAt[] = [
  { path: /^\/$/, screen: NowScreen },
  { path: /^\/r\/(\d+)$/, screen: ReservationScreen },
  { path: /^\/go$/, screen: FieldScreen },
  { path: /^\/cars$/, screen: CarsScreen },
  { path: /^\/in$/, screen: CallbacksScreen },
  { path: /^\/shift$/, screen: ShiftScreen },
];

export const navigation: readonly NavigationEntry[] = [
  { href: '/', text: 'nav.now', icon: 'now', key: 'n' },
  { href: '/go', text: 'nav.field', icon: 'field', key: 'f' },
  { href: '/cars', text: 'nav.cars', icon: 'car', key: 'c' },
  { href: '/in', text: 'nav.callbacks', icon: 'inbox', key: 'i' },
  { href: '/shift', text: 'nav.shift', icon: 'shift', key: 's' },
];

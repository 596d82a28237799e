// the page names one file of styles
import '../screens/callbacks/callbacks.css';
import '../screens/cars/cars.css';
import '../screens/reservation/reservation.css';
import '../screens/shift/shift.css';
import type { IconName } from '../design/icon.js';
import { FieldScreen } from '../screens/go/go.js';
import { NowScreen } from '../screens/now/now.js';
import type { Text } from '../texts/index.js';
import { loadedWhenShown, type Screen } from './screen-script.js';

interface ScreenAt {
  path: RegExp;
  screen: Screen;
}
interface NavigationEntry {
  href: string;
  text: Text;
  icon: IconName;
  /** The second key of its shortcut, after `g`. */
  key: string;
}

const ReservationScreen = loadedWhenShown(
  'search.reservation',
  async () => (await import('../screens/reservation/reservation.js')).ReservationScreen,
);
const CarsScreen = loadedWhenShown(
  'nav.cars',
  async () => (await import('../screens/cars/cars.js')).CarsScreen,
);
const CallbacksScreen = loadedWhenShown(
  'nav.callbacks',
  async () => (await import('../screens/callbacks/callbacks.js')).CallbacksScreen,
);
const ShiftScreen = loadedWhenShown(
  'nav.shift',
  async () => (await import('../screens/shift/shift.js')).ShiftScreen,
);

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

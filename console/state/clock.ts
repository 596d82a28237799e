import { signal } from '@preact/signals';
import { clockOffsetMs } from '../api/client.js';

/** The service's time in milliseconds since the epoch, to the second: what shows it renders again. */
export const now = signal(serviceTime());

export function serviceTime(): number {
  return Date.now() + clockOffsetMs;
}

setInterval(() => {
  if (document.visibilityState === 'visible') now.value = serviceTime();
}, 1_000);
document.addEventListener('visibilitychange', () => {
  now.value = serviceTime();
});

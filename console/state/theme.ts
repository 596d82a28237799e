import { effect, signal } from '@preact/signals';
import { readPreference, writePreference } from './preferences.js';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const theme = signal<Theme>(readPreference('theme', themes) ?? 'system');

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});

export function setTheme(chosen: Theme): void {
  theme.value = chosen;
  writePreference('theme', chosen);
}

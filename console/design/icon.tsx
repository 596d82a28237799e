import { type IconName, paths } from './icons.js';

export type { IconName };

/** A drawing beside its text, which names what it shows. */
export function Icon({ name, class: extra }: { name: IconName; class?: string }) {
  return (
    <svg class={extra === undefined ? 'icon' : `icon ${extra}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

import type { IconName } from './icons.js';

export type { IconName };

/** A drawing beside its text, which names what it shows. */
export function Icon({ name, class: extra }: { name: IconName; class?: string }) {
  return (
    <svg class={extra === undefined ? 'icon' : `icon ${extra}`} aria-hidden="true">
      <use href={`#icon-${name}`} />
    </svg>
  );
}

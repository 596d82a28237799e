import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.js';

interface PanelProps {
  title: string;
  icon?: IconName;
  /** Beside the title. */
  count?: number;
  /** At the end of the head. */
  tools?: ComponentChildren;
  /** Without the inner distance, for lists. */
  isFlush?: boolean;
  class?: string;
  children: ComponentChildren;
}

/** A titled part of a screen. */
export function Panel({ title, icon, count, tools, isFlush = false, class: extra, children }: PanelProps) {
  return (
    <section class={extra === undefined ? 'panel' : `panel ${extra}`} aria-label={title}>
      <header>
        {icon !== undefined && <Icon name={icon} />}
        <h2>{title}</h2>
        {count !== undefined && <span class="count">{count}</span>}
        <span class="grow" />
        {tools}
      </header>
      {isFlush ? children : <div class="inside">{children}</div>}
    </section>
  );
}

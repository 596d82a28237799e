import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.js';
import type { Tone } from './meanings.js';

/** A message in place. `isUrgent`: screen readers announce it at once. */
export function Notice(props: {
  tone?: Tone;
  icon: IconName;
  isUrgent?: boolean;
  children: ComponentChildren;
}) {
  const { tone = 'quiet', icon, isUrgent = false, children } = props;
  return (
    <div class={`notice ${tone}`} role={isUrgent ? 'alert' : undefined}>
      <Icon name={icon} />
      <div class="grow">{children}</div>
    </div>
  );
}

import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.js';

interface ButtonProps {
  id?: string;
  children: ComponentChildren;
  icon?: IconName;
  /** `step`: the recommended one of a row, among many. */
  kind?: 'primary' | 'quiet' | 'step';
  size?: 'large';
  type?: 'submit' | 'button';
  disabled?: boolean;
  /** Shows that something is under way. */
  isBusy?: boolean;
  title?: string;
  label?: string;
  shortcut?: string;
  onClick?(event: MouseEvent): void;
}

/** `disabled` without the attribute: the button stays reachable and can explain itself by its title. */
export function Button({ children, icon, kind, size, type = 'button', onClick, ...props }: ButtonProps) {
  const { disabled = false, isBusy = false, id, title, label, shortcut } = props;
  const isOff = disabled || isBusy;
  return (
    <button
      id={id}
      type={type}
      class={['button', kind, size].filter(Boolean).join(' ')}
      aria-disabled={isOff ? 'true' : undefined}
      aria-busy={isBusy ? 'true' : undefined}
      aria-label={label}
      aria-keyshortcuts={shortcut}
      title={title}
      onClick={(event) => {
        if (isOff) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {isBusy ? <Icon name="refresh" class="spin" /> : icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}

// Buttons: one with text, one with a picture only. All other attributes are those of <button>.
import type { ButtonHTMLAttributes, VNode } from 'preact';
import { Icon, type IconName } from './icon.tsx';
import './button.css';

type Native = Omit<ButtonHTMLAttributes, 'icon' | 'size' | 'label' | 'class'>;

interface Look extends Native {
  /** One primary button at most per group. */
  readonly variant?: 'default' | 'primary' | 'quiet' | 'danger' | undefined;
  readonly size?: 'medium' | 'small' | undefined;
  /** Further class names, for the place where it stands. */
  readonly class?: string | undefined;
}

export interface ButtonProps extends Look {
  readonly icon?: IconName | undefined;
}

export interface IconButtonProps extends Look {
  readonly icon: IconName;
  /** Told to screen readers and as tooltip. */
  readonly label: string;
}

export function Button({ variant, size, icon, children, class: className, ...native }: ButtonProps): VNode {
  return (
    <button type="button" {...native} class={classes({ variant, size, className })}>
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </button>
  );
}

export function IconButton({
  variant = 'quiet',
  size,
  icon,
  label,
  class: className,
  ...native
}: IconButtonProps): VNode {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...native}
      class={`${classes({ variant, size, className })} ui-button-square`}
    >
      <Icon name={icon} />
    </button>
  );
}

function classes({
  variant = 'default',
  size = 'medium',
  className = '',
}: Pick<Look, 'variant' | 'size'> & { readonly className?: string | undefined }): string {
  return `ui-button ui-button-${variant} ui-button-${size} ${className}`;
}

// Buttons with text or only an icon. Other attributes are passed to <button>.
import type { ButtonHTMLAttributes, VNode } from 'preact';
import { Icon, type IconName } from './icon.tsx';
import './button.css';

type Native = Omit<ButtonHTMLAttributes, 'icon' | 'size' | 'label' | 'class'>;

interface Look extends Native {
  /** At most one primary button per group. */
  readonly variant?: 'default' | 'primary' | 'quiet' | 'danger' | undefined;
  readonly size?: 'medium' | 'small' | undefined;
  /** Additional class names. */
  readonly class?: string | undefined;
}

export interface ButtonProps extends Look {
  readonly icon?: IconName | undefined;
}

export interface IconButtonProps extends Look {
  readonly icon: IconName;
  /** Accessible name and tooltip. */
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

// A message about a problem with advice, next to other content or in place of it (`EmptyState`).
import type { ComponentChildren, VNode } from 'preact';
import { Icon, type IconName } from './icon.tsx';
import './notice.css';

export interface NoticeProps {
  readonly tone: 'info' | 'success' | 'warning' | 'danger';
  readonly title: ComponentChildren;
  readonly children?: ComponentChildren;
  /** Advice, in one sentence. */
  readonly hint?: ComponentChildren;
  /** Buttons or links. */
  readonly action?: ComponentChildren;
}

const ICONS: Readonly<Record<NoticeProps['tone'], IconName>> = {
  info: 'info',
  success: 'check',
  warning: 'warning',
  danger: 'error',
};

export function Notice({ tone, title, children, hint, action }: NoticeProps): VNode {
  return (
    <div class={`ui-notice ui-notice-${tone}`} role={tone === 'danger' ? 'alert' : 'status'}>
      <Icon name={ICONS[tone]} />
      <div class="ui-stack ui-gap-2 ui-notice-text">
        <p class="ui-notice-title">{title}</p>
        {isNothing(children) ? null : <div>{children}</div>}
        {hint === undefined ? null : <p class="ui-notice-hint">{hint}</p>}
        {action === undefined ? null : <div class="ui-notice-action">{action}</div>}
      </div>
    </div>
  );
}

function isNothing(children: ComponentChildren): boolean {
  return children === undefined || children === null;
}

export interface EmptyStateProps {
  readonly icon: IconName;
  readonly title: ComponentChildren;
  readonly children?: ComponentChildren;
  readonly action?: ComponentChildren;
}

export function EmptyState({ icon, title, children, action }: EmptyStateProps): VNode {
  return (
    <div class="ui-stack ui-gap-3 ui-empty">
      <span class="ui-empty-icon">
        <Icon name={icon} size={24} />
      </span>
      <div class="ui-empty-title">{title}</div>
      {children === undefined ? null : <div class="ui-empty-text">{children}</div>}
      {action === undefined ? null : <div class="ui-empty-action">{action}</div>}
    </div>
  );
}

// Inline elements: database names, code, keys, badges, and a spinner.
import type { ComponentChildren, VNode } from 'preact';
import './text.css';

/** Isolates the text direction, truncates long names and shows the full name as tooltip. */
export function Name({ text, isMono = false }: { readonly text: string; readonly isMono?: boolean }): VNode {
  return (
    <bdi class={isMono ? 'ui-name ui-name-mono' : 'ui-name'} title={text}>
      {text}
    </bdi>
  );
}

export function Code({ children }: { readonly children: ComponentChildren }): VNode {
  return <code class="ui-code">{children}</code>;
}

export function Kbd({ children }: { readonly children: ComponentChildren }): VNode {
  return <kbd class="ui-kbd">{children}</kbd>;
}

export interface BadgeProps {
  readonly tone?: 'neutral' | 'accent' | 'info' | 'success' | 'warning' | 'danger' | undefined;
  readonly title?: string | undefined;
  readonly children: ComponentChildren;
}

export function Badge({ tone = 'neutral', title, children }: BadgeProps): VNode {
  return (
    <span class={`ui-badge ui-badge-${tone}`} title={title ?? ''}>
      {children}
    </span>
  );
}

export function Spinner({ label = 'Loading' }: { readonly label?: string }): VNode {
  return (
    <span class="ui-spinner" role="status">
      <span class="ui-unseen">{label}</span>
    </span>
  );
}

// Small pieces of text: names from the database, code, keys, badges, and the sign that something is under way.
import type { ComponentChildren, VNode } from 'preact';
import './text.css';

/** Isolated from the direction of the text around it, cut off where there is no room, whole as tooltip. */
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

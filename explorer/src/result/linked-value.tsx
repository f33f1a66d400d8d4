// A value in one line, with its look; a link where it leads to a row.
import type { VNode } from 'preact';
import type { ValueText } from './value-text.ts';

export interface LinkedValueProps {
  readonly described: ValueText;
  readonly href: string | undefined;
}

export function LinkedValue({ described: { look, text, title, items }, href }: LinkedValueProps): VNode {
  if (href !== undefined) {
    return (
      <a class={`result-value result-value-${look} result-link`} href={href} title={title} tabIndex={-1}>
        <bdi>{text}</bdi>
      </a>
    );
  }
  return (
    <span class={`result-value result-value-${look}`} title={title}>
      {items === undefined ? (
        <bdi>{text}</bdi>
      ) : (
        items.map((item, index) => (
          <bdi key={index} class="result-chip">
            {item}
          </bdi>
        ))
      )}
    </span>
  );
}

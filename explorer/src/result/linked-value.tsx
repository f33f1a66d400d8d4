// A value on one line, formatted by type; a link if it references a row.
import type { VNode } from 'preact';
import type { ValueText } from '../rows/value-text.ts';

export interface LinkedValueProps {
  readonly described: ValueText;
  readonly href: string | undefined;
  /** Whether it is in the grid, which is a single tab stop. */
  readonly isInGrid?: boolean;
}

export function LinkedValue({
  described: { look, text, title, items },
  href,
  isInGrid = false,
}: LinkedValueProps): VNode {
  if (href !== undefined) {
    return (
      <a class={`result-value result-value-${look} result-link`} href={href} title={title} tabIndex={isInGrid ? -1 : 0}>
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

/** The label of the row that a foreign key references, beside its value. */
export function ValueLabel({ text }: { readonly text: string | undefined }): VNode | null {
  return text === undefined ? null : (
    <bdi class="result-label" title={text}>
      {text}
    </bdi>
  );
}

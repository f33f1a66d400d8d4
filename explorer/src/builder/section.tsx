// A collapsible section of the panel. Initially open if it has content; later keeps its state.
import { useState } from 'preact/hooks';
import type { ComponentChildren, VNode } from 'preact';
import { Icon } from '../ui/icon.tsx';
import { Badge } from '../ui/text.tsx';

export interface SectionProps {
  readonly title: ComponentChildren;
  /** Short description of the content, also shown when collapsed. */
  readonly summary?: string | undefined;
  readonly isOpenAtFirst: boolean;
  readonly children: ComponentChildren;
}

export function Section({ title, summary, isOpenAtFirst, children }: SectionProps): VNode {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  return (
    <details class="builder-section" open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary class="ui-row ui-gap-3 builder-section-head">
        <Icon name="chevronRight" size={12} />
        <span class="builder-section-title">{title}</span>
        {summary === undefined ? null : <Badge>{summary}</Badge>}
      </summary>
      {isOpen ? <div class="ui-stack ui-gap-3 builder-section-body">{children}</div> : null}
    </details>
  );
}

// Text of any length, such as CSV. Renders only the visible lines.
import { useMemo } from 'preact/hooks';
import type { VNode } from 'preact';
import { useRowsInView } from '../ui/use-rows-in-view.ts';
import { splitLines } from './text-lines.ts';
import './lines.css';

/** Must match lines.css. */
const LINE_PX = 24;
const MAX_LINE = 10_000;

export function TextView({ text, label }: { readonly text: string; readonly label: string }): VNode {
  const lines = useMemo(() => splitLines(text), [text]);
  const { box, first, end } = useRowsInView(lines.count, LINE_PX);
  return (
    <div class="ui-stack result-lines-frame">
      <div ref={box} class="result-lines" role="region" aria-label={label} tabIndex={0}>
        <div class="result-lines-whole" style={{ height: `${lines.count * LINE_PX}px` }}>
          {Array.from({ length: Math.max(0, end - first) }, (_, offset) => {
            const line = first + offset;
            return (
              <div key={line} class="ui-row result-line" style={{ transform: `translateY(${line * LINE_PX}px)` }}>
                <span class="result-line-number">{line + 1}</span>
                <code>{lines.textAt(line).slice(0, MAX_LINE)}</code>
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

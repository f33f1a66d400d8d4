// JSON of any length, indented and highlighted, with foldable objects and arrays. Renders only the visible lines.
import { useMemo, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useRowsInView } from '../ui/use-rows-in-view.ts';
import { type Fold, hideFolded } from './fold-lines.ts';
import { findLines, type JsonLines } from './json-lines.ts';
import { tokenizeLine } from './json-tokens.ts';
import './lines.css';

/** Must match lines.css. The buttons that fold need 24 px. */
const LINE_PX = 24;
const MAX_LINE = 4000;

export function JsonView({ text }: { readonly text: string }): VNode {
  const lines = useMemo(() => findLines(text), [text]);
  const [state, setState] = useState<{ readonly text: string; readonly folds: readonly Fold[] }>({ text, folds: [] });
  const folds = state.text === text ? state.folds : [];
  const visible = useMemo(() => hideFolded(lines.count, folds), [lines, folds]);
  const { box, first, end } = useRowsInView(visible.count, LINE_PX);
  const setFolds = (next: readonly Fold[]): void => setState({ text, folds: next });
  const toggle = (line: number): void => {
    const close = lines.endOf(line);
    if (close === undefined) return;
    const others = folds.filter((fold) => fold.line !== line);
    setFolds(others.length < folds.length ? others : [...folds, { line, end: close }]);
  };
  return (
    <div class="ui-stack result-lines-frame">
      <div class="ui-row ui-gap-2 result-lines-tools">
        <Button size="small" variant="quiet" onClick={() => setFolds(listFolds(lines))}>
          Fold all
        </Button>
        <Button size="small" variant="quiet" disabled={folds.length === 0} onClick={() => setFolds([])}>
          Unfold all
        </Button>
        <span>{visible.count.toLocaleString('en')} lines</span>
      </div>
      <div ref={box} class="result-lines" role="region" aria-label="JSON" tabIndex={0}>
        <div class="result-lines-whole" style={{ height: `${visible.count * LINE_PX}px` }}>
          {Array.from({ length: Math.max(0, end - first) }, (_, offset) => {
            const line = visible.lineAt(first + offset);
            const topPx = (first + offset) * LINE_PX;
            return <Line key={line} {...{ lines, line, topPx, toggle }} isFolded={visible.isFolded(line)} />;
          })}
        </div>
      </div>
    </div>
  );
}

/** Lists the folds within the outermost object or array. */
function listFolds(lines: JsonLines): readonly Fold[] {
  const folds: Fold[] = [];
  let line = 1;
  while (line < lines.count) {
    const end = lines.endOf(line);
    if (end !== undefined) folds.push({ line, end });
    line = (end ?? line) + 1;
  }
  return folds;
}

interface LineProps {
  readonly lines: JsonLines;
  readonly line: number;
  readonly topPx: number;
  readonly isFolded: boolean;
  readonly toggle: (line: number) => void;
}

function Line({ lines, line, topPx, isFolded, toggle }: LineProps): VNode {
  const whole = lines.textAt(line);
  const end = lines.endOf(line);
  const shown = whole.length > MAX_LINE ? whole.slice(0, MAX_LINE) : whole;
  return (
    <div class="ui-row result-line" style={{ transform: `translateY(${topPx}px)` }}>
      <span class="result-line-number">{line + 1}</span>
      {end === undefined ? (
        <span class="result-line-fold" />
      ) : (
        <button
          type="button"
          class="result-line-fold"
          aria-expanded={!isFolded}
          aria-label={isFolded ? `Unfold line ${line + 1}` : `Fold line ${line + 1}`}
          onClick={() => toggle(line)}
        >
          <Icon name={isFolded ? 'chevronRight' : 'chevronDown'} size={12} />
        </button>
      )}
      <code style={{ paddingInlineStart: `${lines.depthAt(line) * 2}ch` }}>
        {tokenizeLine(shown).map(({ kind, text }, index) => (
          <span key={index} class={`result-token-${kind}`}>
            {text}
          </span>
        ))}
        {shown === whole ? null : <More count={whole.length - MAX_LINE} />}
        {isFolded && end !== undefined ? <Folded lines={end - line - 1} text={lines.textAt(end)} /> : null}
      </code>
    </div>
  );
}

function More({ count }: { readonly count: number }): VNode {
  return <span class="result-line-note">… {count.toLocaleString('en')} more characters</span>;
}

/** Replaces the hidden lines and the closing line. */
function Folded({ lines, text }: { readonly lines: number; readonly text: string }): VNode {
  return (
    <>
      <span class="result-line-note">… {lines.toLocaleString('en')} lines</span>
      <span class="result-token-mark">{text}</span>
    </>
  );
}

// Decorations of an editor: syntax highlighting, and the mark under an error.
import { type Extension, StateEffect, type StateEffectType, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import type { HighlightedPart, PartKind } from './highlighted-part.ts';

export interface MarkedRange {
  readonly from: number;
  readonly to: number;
}

export const setProblemRange: StateEffectType<MarkedRange | undefined> = StateEffect.define<MarkedRange | undefined>();

/** Returns the parts of a text in order, without overlaps. */
export type Highlight = (text: string) => readonly HighlightedPart[];

const PARTS: Readonly<Record<PartKind, Decoration>> = {
  path: Decoration.mark({ class: 'url-path' }),
  mark: Decoration.mark({ class: 'url-mark' }),
  name: Decoration.mark({ class: 'url-name' }),
  keyword: Decoration.mark({ class: 'url-keyword' }),
  operator: Decoration.mark({ class: 'url-operator' }),
  string: Decoration.mark({ class: 'url-string' }),
  number: Decoration.mark({ class: 'url-number' }),
  constant: Decoration.mark({ class: 'url-constant' }),
};
const PROBLEM = Decoration.mark({ class: 'url-problem' });

function highlights(highlight: Highlight): Extension {
  const decorate = (text: string): DecorationSet =>
    Decoration.set(highlight(text).map(({ from, to, kind }) => PARTS[kind].range(from, to)));
  return StateField.define<DecorationSet>({
    create: ({ doc }) => decorate(doc.toString()),
    update: (marks, { docChanged, newDoc }) => (docChanged ? decorate(newDoc.toString()) : marks),
    provide: (field) => EditorView.decorations.from(field),
  });
}

/** Removed on the next change, which may have fixed the error. */
const problem = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { docChanged, effects, newDoc }) {
    const set = effects.find((effect) => effect.is(setProblemRange));
    if (set === undefined) return docChanged ? Decoration.none : marks;
    const { from = 0, to = 0 }: Partial<MarkedRange> = set.value ?? {};
    const end = Math.min(to, newDoc.length);
    return from < end ? Decoration.set(PROBLEM.range(from, end)) : Decoration.none;
  },
  provide: (field) => [
    EditorView.decorations.from(field),
    EditorView.contentAttributes.from(field, ({ size }) => ({ 'aria-invalid': String(size > 0) })),
  ],
});

export function editorMarks(highlight: Highlight): Extension {
  return [highlights(highlight), problem];
}

// Connects a completion engine to an editor.
import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionContext,
  completionStatus,
  type CompletionResult,
  moveCompletionSelection,
  selectedCompletion,
  startCompletion,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { Completion as Offered } from '../complete/complete.ts';
import type { CompletionOption } from '../complete/offer.ts';

/** Returns the options for the text at a position. */
export type CompleteText = (text: string, offset: number) => Offered | undefined;

export function editorCompletion(complete: CompleteText): Extension {
  const completion = autocompletion({
    override: [(context) => completeInEditor(context, complete)],
    icons: false,
    // Enter keeps its meaning unless the arrow keys selected an option.
    selectOnOpen: false,
    interactionDelay: 0,
    activateOnTypingDelay: 30,
    optionClass: ({ type }) => `option-${type ?? 'value'}`,
  });
  return [completion, acceptWhenOffered];
}

function completeInEditor({ state, pos }: CompletionContext, complete: CompleteText): CompletionResult | null {
  const found = complete(state.doc.toString(), pos);
  if (found === undefined || found.options.length === 0) return null;
  return { from: found.from, to: found.to, filter: false, options: found.options.map(toEditorOption) };
}

function toEditorOption({ label, detail, kind, apply, caret = apply.length }: CompletionOption): Completion {
  return {
    label,
    detail,
    type: kind,
    apply(view, _completion, from, to) {
      view.dispatch({
        changes: { from, to, insert: apply },
        selection: { anchor: from + caret },
        userEvent: 'input.complete',
        scrollIntoView: true,
      });
      if (kind !== 'value' && kind !== 'type') startCompletion(view);
    },
  };
}

/** Accepts the selected option or the first one, waiting for pending options. */
export function acceptFirst(view: EditorView): boolean {
  const status = completionStatus(view.state);
  if (status === 'active') return accept(view);
  if (status === 'pending') awaitingOffer.add(view);
  return status === 'pending';
}

function accept(view: EditorView): boolean {
  if (selectedCompletion(view.state) === null) moveCompletionSelection(true)(view);
  return acceptCompletion(view);
}

const awaitingOffer: WeakSet<EditorView> = new WeakSet();

const acceptWhenOffered: Extension = EditorView.updateListener.of(({ view, state, docChanged, selectionSet }) => {
  const status = completionStatus(state);
  if (!awaitingOffer.has(view) || (status === 'pending' && !docChanged && !selectionSet)) return;
  awaitingOffer.delete(view);
  if (status === 'active' && !docChanged && !selectionSet) accept(view);
});

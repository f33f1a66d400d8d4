// The completion engine, as the editor asks it.
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
import type { EditorView } from '@codemirror/view';
import { complete } from '../complete/complete.ts';
import type { CompletionOption } from '../complete/offer.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';

/**
 * @param schema undefined while it is not known: nothing is offered then
 * @param onUnknown something was to be offered then
 */
export function editorCompletion(schema: () => SchemaIndex | undefined, onUnknown: () => void): Extension {
  const offer = (context: CompletionContext): CompletionResult | null => {
    const known = schema();
    if (known !== undefined) return completeInEditor(context, known);
    onUnknown();
    return null;
  };
  return autocompletion({
    override: [offer],
    icons: false,
    // Enter sends the request unless an option was chosen by the arrow keys.
    selectOnOpen: false,
    interactionDelay: 0,
    activateOnTypingDelay: 30,
    optionClass: ({ type }) => `option-${type ?? 'value'}`,
  });
}

function completeInEditor({ state, pos }: CompletionContext, schema: SchemaIndex): CompletionResult | null {
  const found = complete(state.doc.toString(), pos, schema);
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

/** Takes the option that is chosen, or the first one. */
export function acceptFirst(view: EditorView): boolean {
  if (completionStatus(view.state) !== 'active') return false;
  if (selectedCompletion(view.state) === null) moveCompletionSelection(true)(view);
  return acceptCompletion(view);
}

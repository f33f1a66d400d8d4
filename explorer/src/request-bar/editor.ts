// The editor of the request URL: CodeMirror in a shadow tree, where its styles need no <style> element. Loaded at the first interaction.
import { closeCompletion, completionKeymap, startCompletion } from '@codemirror/autocomplete';
import { history, historyKeymap, standardKeymap } from '@codemirror/commands';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import type { SchemaIndex } from '../schema/schema-index.ts';
import { complete } from '../complete/complete.ts';
import { acceptFirst, type CompleteText, editorCompletion } from '../editor/editor-completion.ts';
import { editorMarks, type MarkedRange, setProblemRange } from '../editor/editor-marks.ts';
import { editorTheme } from '../editor/editor-theme.ts';
import { replaceSelected } from '../editor/replace-selected.ts';
import { highlightUrl } from './highlight-url.ts';
import { joinLines } from './typed-url.ts';

export interface EditorOptions {
  readonly host: HTMLElement;
  readonly text: string;
  readonly selection: { readonly anchor: number; readonly head?: number };
  readonly schema: () => SchemaIndex | undefined;
  /** Called when the user changes the text or moves the caret. */
  readonly onChange: (text: string, caret: number) => void;
  readonly onRun: () => void;
}

export interface UrlEditor {
  /** Replaces the text if it differs. */
  readonly setText: (text: string) => void;
  readonly setProblem: (range: MarkedRange | undefined) => void;
  /** Called when the schema is loaded, to complete text typed before. */
  readonly noticeSchema: () => void;
  readonly focus: () => void;
  /** Offers completions at the caret. */
  readonly complete: () => void;
  readonly destroy: () => void;
}

export function createEditor(options: EditorOptions): UrlEditor {
  let isOfferDue = false;
  const completeUrl: CompleteText = (url, offset) => {
    const schema = options.schema();
    isOfferDue ||= schema === undefined;
    return schema && complete(url, offset, schema);
  };
  const root = options.host.shadowRoot ?? options.host.attachShadow({ mode: 'open' });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: joinLines(options.text),
      selection: options.selection,
      extensions: [editorCompletion(completeUrl), extensionsOf(options)],
    }),
  });
  return {
    setText(text) {
      if (view.state.doc.toString() === text) return;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      closeCompletion(view);
    },
    setProblem: (range) => view.dispatch({ effects: setProblemRange.of(range) }),
    noticeSchema() {
      if (isOfferDue && view.hasFocus) startCompletion(view);
      isOfferDue = false;
    },
    focus: () => view.focus(),
    complete: () => void startCompletion(view),
    destroy: () => view.destroy(),
  };
}

function extensionsOf({ onChange, onRun }: EditorOptions): Extension {
  return [
    history(),
    editorMarks(highlightUrl),
    editorTheme,
    EditorView.lineWrapping,
    placeholder('/table?select=…'),
    oneLine,
    EditorView.contentAttributes.of({
      'aria-label': 'Request',
      'aria-multiline': 'false',
      dir: 'ltr',
      enterkeyhint: 'go',
    }),
    EditorView.updateListener.of(({ docChanged, selectionSet, focusChanged, state, view, transactions }) => {
      const isByUser =
        selectionSet || transactions.some((one) => one.isUserEvent('input') || one.isUserEvent('delete'));
      if ((docChanged && isByUser) || selectionSet || (focusChanged && view.hasFocus))
        onChange(state.doc.toString(), state.selection.main.head);
    }),
    EditorView.domEventHandlers({
      focus(_event, view) {
        if (view.state.doc.length <= 1) startCompletion(view);
      },
      beforeinput: replaceSelected,
    }),
    keymap.of([
      ...completionKeymap,
      { key: 'Tab', run: acceptFirst },
      { key: 'Enter', run: (view) => closeAndRun(view, onRun), shift: (view) => closeAndRun(view, onRun) },
      { key: 'Escape', run: leave },
      ...historyKeymap,
      ...standardKeymap,
    ]),
  ];
}

/** Joins lines, also of pasted or dropped text. */
const oneLine: Extension = EditorState.transactionFilter.of((transaction) => {
  if (transaction.newDoc.lines === 1) return transaction;
  const text = joinLines(transaction.newDoc.toString());
  return {
    changes: { from: 0, to: transaction.startState.doc.length, insert: text },
    selection: { anchor: text.length },
    userEvent: 'input.paste',
  };
});

function closeAndRun(view: EditorView, onRun: () => void): boolean {
  closeCompletion(view);
  onRun();
  return true;
}

function leave(view: EditorView): boolean {
  view.contentDOM.blur();
  return true;
}

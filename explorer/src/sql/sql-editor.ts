// The editor of the SQL page: CodeMirror in a shadow tree, where its styles need no <style> element.
import { closeCompletion, completionKeymap, completionStatus } from '@codemirror/autocomplete';
import { history, historyKeymap, standardKeymap } from '@codemirror/commands';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import { acceptFirst, type CompleteText, editorCompletion } from '../editor/editor-completion.ts';
import { editorMarks, type MarkedRange, setProblemRange } from '../editor/editor-marks.ts';
import { editorTheme } from '../editor/editor-theme.ts';
import { replaceSelected } from '../editor/replace-selected.ts';
import { highlightSql } from './highlight-sql.ts';

export interface SqlEditorOptions {
  readonly host: HTMLElement;
  readonly text: string;
  readonly complete: CompleteText;
  readonly onChange: (text: string) => void;
  readonly onRun: () => void;
}

export interface SqlEditor {
  /** Returns the selected part of the text, or all of it. */
  readonly chosen: () => { readonly text: string; readonly start: number };
  /** Replaces a range, unless it no longer contains `expected`. */
  readonly replace: (range: MarkedRange, text: string, expected?: string) => void;
  /** Marks a range and puts the caret at its start: a selection would make the next run one of the selection. */
  readonly showProblem: (range: MarkedRange) => void;
  readonly focus: () => void;
  readonly destroy: () => void;
}

export function createSqlEditor({ host, text, complete, onChange, onRun }: SqlEditorOptions): SqlEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const run = (view: EditorView): boolean => {
    closeCompletion(view);
    onRun();
    return true;
  };
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        keymap.of([
          { key: 'Mod-Enter', run },
          { key: 'Tab', run: acceptIfOffered },
        ]),
        editorCompletion(complete),
        history(),
        editorMarks(highlightSql),
        editorTheme,
        EditorView.lineWrapping,
        placeholder('select * from …'),
        EditorView.contentAttributes.of({ 'aria-label': 'SQL', dir: 'ltr' }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) onChange(state.doc.toString());
        }),
        EditorView.domEventHandlers({ beforeinput: replaceSelected }),
        keymap.of([...completionKeymap, ...historyKeymap, ...standardKeymap]),
      ],
    }),
  });
  return {
    chosen() {
      const { from, to } = view.state.selection.main;
      return from < to
        ? { text: view.state.sliceDoc(from, to), start: from }
        : { text: view.state.doc.toString(), start: 0 };
    },
    replace({ from, to }, insert, expected = '') {
      if (view.state.sliceDoc(from, to) !== expected) return;
      view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length } });
      view.focus();
    },
    showProblem(range) {
      view.dispatch({ effects: setProblemRange.of(range), selection: { anchor: range.from }, scrollIntoView: true });
      view.focus();
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

/** Otherwise Tab leaves the editor, as it leaves any field. */
function acceptIfOffered(view: EditorView): boolean {
  return completionStatus(view.state) === 'active' && acceptFirst(view);
}

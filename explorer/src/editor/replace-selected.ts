// Replaces selected text when a character is typed.
import type { EditorView } from '@codemirror/view';
import type { MarkedRange } from './editor-marks.ts';

/**
 * Replaces selected text through the editor. If a browser replaces highlighted text itself, it copies the colors into a
 * `style` attribute, which the content security policy of the page forbids.
 */
export function replaceSelected(event: InputEvent, view: EditorView): boolean {
  const { data } = event;
  const { from, to } = selectedRange(view);
  if (event.inputType !== 'insertText' || data === null || !event.cancelable || from === to) return false;
  event.preventDefault();
  const selection = { anchor: from + data.length };
  view.dispatch({ changes: { from, to, insert: data }, selection, userEvent: 'input.type', scrollIntoView: true });
  return true;
}

/** Returns the selection of the browser, which the editor may not have processed yet. */
function selectedRange(view: EditorView): MarkedRange {
  const { root } = view;
  if (!(root instanceof ShadowRoot)) return view.state.selection.main;
  const [range] = document.getSelection()?.getComposedRanges?.({ shadowRoots: [root] }) ?? [];
  if (range === undefined || !view.contentDOM.contains(range.startContainer)) return view.state.selection.main;
  return {
    from: view.posAtDOM(range.startContainer, range.startOffset),
    to: view.posAtDOM(range.endContainer, range.endOffset),
  };
}

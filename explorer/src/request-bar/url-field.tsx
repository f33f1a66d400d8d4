// The text field of the URL: a plain input at first, replaced by the editor once that is loaded.
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import type { Store } from '../store/store.ts';
import type { EditorOptions, UrlEditor } from './editor.ts';
import { type RequestDraft, schemaOf } from './use-request-draft.ts';

interface UrlFieldProps {
  readonly store: Store;
  readonly draft: RequestDraft;
}

export function UrlField({ store, draft }: UrlFieldProps): VNode {
  const host = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const editor = useSignal<UrlEditor | undefined>(undefined);
  useEffect(() => {
    let isGone = false;
    void import('./editor.ts').then(({ createEditor }) => {
      if (!isGone && host.current !== null)
        editor.value = replaceInput(input.current, createEditor(optionsOf(host.current, { store, draft })));
    });
    return () => {
      isGone = true;
      editor.peek()?.destroy();
    };
  }, [store]);
  const { text, problem } = draft;
  useEffect(() => editor.value?.setText(text.value), [editor.value, text.value]);
  const isSchemaKnown = schemaOf(store) !== undefined;
  useEffect(() => {
    if (isSchemaKnown) editor.value?.noticeSchema();
  }, [editor.value, isSchemaKnown]);
  useEffect(() => editor.value?.setProblem(problem.value?.range), [editor.value, problem.value]);
  return (
    <>
      <div class="request-bar-editor" ref={host} />
      {editor.value === undefined ? <PlainField draft={draft} input={input} /> : null}
    </>
  );
}

function optionsOf(host: HTMLElement, { store, draft }: UrlFieldProps): EditorOptions {
  return {
    host,
    text: draft.text.peek(),
    caret: draft.caret.peek(),
    schema: () => schemaOf(store),
    onChange: draft.type,
    onRun: draft.send,
  };
}

/** Keeps text, selection and focus of the plain input. */
function replaceInput(input: HTMLInputElement | null, editor: UrlEditor): UrlEditor {
  if (input !== null && document.activeElement === input) editor.focus();
  return editor;
}

interface PlainFieldProps {
  readonly draft: RequestDraft;
  readonly input: { current: HTMLInputElement | null };
}

function PlainField({ draft, input }: PlainFieldProps): VNode {
  return (
    <input
      ref={input}
      class="request-bar-plain"
      aria-label="Request"
      value={draft.text.value}
      dir="ltr"
      spellcheck={false}
      autocomplete="off"
      autocapitalize="off"
      onInput={({ currentTarget }) => draft.type(currentTarget.value, currentTarget.selectionStart ?? 0)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') draft.send();
        if (key === 'Escape') currentTarget.blur();
      }}
    />
  );
}

// The text field of the URL: a plain field at first. The first interaction loads the editor, which then takes its place.
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import type { Store } from '../store/store.ts';
import type { EditorOptions, UrlEditor } from './editor.ts';
import { PlainField } from './plain-field.tsx';
import type { RequestDraft } from './use-request-draft.ts';

type CreateEditor = (options: EditorOptions) => UrlEditor;

export function UrlField({ store, draft }: { readonly store: Store; readonly draft: RequestDraft }): VNode {
  const host = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  const create = useSignal<CreateEditor | undefined>(undefined);
  const editor = useSignal<UrlEditor | undefined>(undefined);
  const isHeld = useSignal(false);
  // After a failure, the plain field stays, and the next interaction tries again.
  const load = (): void => {
    if (create.peek() !== undefined) return;
    import('./editor.ts').then(
      ({ createEditor }) => (create.value = createEditor),
      () => undefined,
    );
  };
  useEffect(() => {
    if (create.value === undefined || isHeld.value || host.current === null || editor.peek() !== undefined) return;
    const options = { host: host.current, ...optionsOf(store, draft) };
    editor.value = replaceField(input.current, { create: create.value, options, draft });
  }, [create.value, isHeld.value]);
  useEffect(() => () => editor.peek()?.destroy(), [editor]);
  const { text, problem } = draft;
  useEffect(() => editor.value?.setText(text.value), [editor.value, text.value]);
  const isSchemaKnown = store.known.value !== undefined;
  useEffect(() => {
    if (isSchemaKnown) editor.value?.noticeSchema();
  }, [editor.value, isSchemaKnown]);
  useEffect(() => editor.value?.setProblem(problem.value?.range), [editor.value, problem.value]);
  return (
    <div class="request-bar-url" onPointerEnter={load} onFocusCapture={load}>
      <div class="request-bar-editor" ref={host} />
      {editor.value === undefined ? <PlainField {...{ draft, input, isHeld }} /> : null}
    </div>
  );
}

function optionsOf(store: Store, draft: RequestDraft): Omit<EditorOptions, 'host'> {
  return {
    text: draft.text.peek(),
    selection: { anchor: 0 },
    schema: () => store.known.value,
    onChange: draft.type,
    onRun: draft.send,
  };
}

interface Replacement {
  readonly create: CreateEditor;
  readonly options: EditorOptions;
  readonly draft: RequestDraft;
}

/** Keeps text, selection and focus of a field in use, and completes what was typed. */
function replaceField(field: HTMLTextAreaElement | null, { create, options, draft }: Replacement): UrlEditor {
  if (field === null || document.activeElement !== field) return create(options);
  const { selectionStart: from, selectionEnd: to, selectionDirection, value: text } = field;
  const selection = selectionDirection === 'backward' ? { anchor: to, head: from } : { anchor: from, head: to };
  const editor = create({ ...options, text, selection });
  editor.focus();
  if (draft.isChanged.peek()) editor.complete();
  return editor;
}

// The text field of the URL until the editor is loaded. Invisible text in a textarea lies under the highlighted text,
// which also gives the textarea its height. Looks and wraps like the editor.
import type { RefObject, VNode } from 'preact';
import type { Signal } from '@preact/signals';
import type { RequestProblem } from './find-problem.ts';
import { highlightUrl } from './highlight-url.ts';
import { joinLines } from './typed-url.ts';
import type { RequestDraft } from './use-request-draft.ts';

export interface PlainFieldProps {
  readonly draft: RequestDraft;
  readonly input: RefObject<HTMLTextAreaElement | null>;
  /** Set while a pointer or an input method is at work in the field. */
  readonly isHeld: Signal<boolean>;
}

export function PlainField({ draft, input, isHeld }: PlainFieldProps): VNode {
  const { text, problem } = draft;
  return (
    <div class="request-bar-plain">
      <textarea
        ref={input}
        rows={1}
        aria-label="Request"
        aria-invalid={problem.value !== undefined}
        placeholder="/table?select=…"
        value={text.value}
        dir="ltr"
        spellcheck={false}
        autocomplete="off"
        autocapitalize="off"
        enterkeyhint="go"
        onPointerDown={() => holdPointer(isHeld)}
        onCompositionStart={() => (isHeld.value = true)}
        onCompositionEnd={() => (isHeld.value = false)}
        onInput={({ currentTarget }) => typeInto(draft, currentTarget)}
        onKeyDown={(event) => followKey(draft, event)}
      />
      <div class="request-bar-shown" dir="ltr" aria-hidden="true">
        <ShownUrl url={text.value} marked={problem.value?.range} />
      </div>
    </div>
  );
}

/** Until the pointer is released anywhere. */
function holdPointer(isHeld: Signal<boolean>): void {
  isHeld.value = true;
  const released = new AbortController();
  const release = (): void => {
    isHeld.value = false;
    released.abort();
  };
  for (const type of ['pointerup', 'pointercancel']) addEventListener(type, release, { signal: released.signal });
}

/** Joins the lines of pasted text. */
function typeInto(draft: RequestDraft, input: HTMLTextAreaElement): void {
  const before = joinLines(input.value.slice(0, input.selectionStart));
  const joined = joinLines(input.value);
  if (joined !== input.value) {
    input.value = joined;
    input.setSelectionRange(before.length, before.length);
  }
  draft.type(joined, before.length);
}

function followKey(draft: RequestDraft, event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  if (event.isComposing) return;
  if (event.key === 'Escape') event.currentTarget.blur();
  if (event.key !== 'Enter') return;
  event.preventDefault();
  draft.send();
}

interface ShownUrlProps {
  readonly url: string;
  readonly marked: RequestProblem['range'] | undefined;
}

function ShownUrl({ url, marked = { from: 0, to: 0 } }: ShownUrlProps): VNode {
  const parts = highlightUrl(url);
  const bounds = [...parts.flatMap(({ from, to }) => [from, to]), marked.from, marked.to, 0, url.length];
  const cuts = [...new Set(bounds.filter((at) => at <= url.length))].toSorted((one, other) => one - other);
  const classOf = (at: number): string => {
    const kind = parts.find(({ from, to }) => from <= at && at < to)?.kind;
    const names = [kind === undefined ? '' : `url-${kind}`, marked.from <= at && at < marked.to ? 'url-problem' : ''];
    return names.filter((name) => name !== '').join(' ');
  };
  return (
    <>
      {cuts.slice(0, -1).map((at, index) => (
        <span class={classOf(at)}>{url.slice(at, cuts[index + 1])}</span>
      ))}
    </>
  );
}

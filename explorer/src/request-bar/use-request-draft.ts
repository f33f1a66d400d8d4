// State of the request being typed: text, caret, errors, and sending.
import { type ReadonlySignal, type Signal, useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { describeAt } from '../complete/complete.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import type { Store } from '../store/store.ts';
import { findAnsweredProblem, findTypedProblem, type RequestProblem } from './find-problem.ts';
import { readTypedUrl } from './typed-url.ts';

export interface RequestDraft {
  readonly text: ReadonlySignal<string>;
  readonly caret: ReadonlySignal<number>;
  /** From the response for the URL of the place; for other text, from the parser after a pause in typing. */
  readonly problem: ReadonlySignal<RequestProblem | undefined>;
  /** Description of the text at the caret. */
  readonly about: ReadonlySignal<string | undefined>;
  readonly isChanged: ReadonlySignal<boolean>;
  readonly type: (text: string, caret: number) => void;
  readonly send: () => void;
}

const TYPING_PAUSE_MILLISECONDS = 600;

export function useRequestDraft(store: Store): RequestDraft {
  const text = useSignal(urlOf(store));
  const caret = useSignal(0);
  const isTyping = useSignal(false);
  const present = useComputed(() => urlOf(store));
  useFollowedUrl(present, text);
  useTypingPause(isTyping, text);
  const isChanged = useComputed(() => readTypedUrl(text.value) !== present.value);
  const problem = useComputed(() => {
    if (!isChanged.value) return findAnsweredProblem(present.value, store.exchange.value);
    const isBegun = readTypedUrl(text.value) !== '';
    return isTyping.value || !isBegun ? undefined : findTypedProblem(text.value, store.known.value?.document.dialect);
  });
  const about = useComputed(() => describeCaret(text.value, caret.value, store.known.value));
  return {
    text,
    caret,
    problem,
    about,
    isChanged,
    type(typed, at) {
      isTyping.value ||= typed !== text.value;
      text.value = typed;
      caret.value = at;
    },
    send() {
      isTyping.value = false;
      sendUrl(store, readTypedUrl(text.value));
    },
  };
}

function urlOf(store: Store): string {
  const place = store.place.value;
  return place.kind === 'request' ? place.url : '';
}

/**
 * Updates the text when the place changes (by a click, Back or a link). Keeps what was typed meanwhile if the place only
 * received its order once the schema was loaded.
 */
function useFollowedUrl(present: ReadonlySignal<string>, text: Signal<string>): void {
  const previous = useRef('');
  useEffect(() => {
    const [before, now] = [previous.current, present.value];
    previous.current = now;
    const isOrdered = before !== '' && now.startsWith(before) && /^[?&]?order=/u.test(now.slice(before.length));
    if (!isOrdered || text.peek() === before) text.value = now;
  }, [present.value]);
}

function useTypingPause(isTyping: Signal<boolean>, text: ReadonlySignal<string>): void {
  useEffect(() => {
    if (!isTyping.value) return undefined;
    const timer = setTimeout(() => (isTyping.value = false), TYPING_PAUSE_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [text.value, isTyping.value]);
}

function describeCaret(text: string, caret: number, schema: SchemaIndex | undefined): string | undefined {
  const found = schema && describeAt(text, caret, schema);
  if (found === undefined) return undefined;
  return found.title === '' ? found.detail : `${found.title}: ${found.detail}`;
}

function sendUrl(store: Store, url: string): void {
  const { value: place } = store.place;
  if (url === '') store.go({ kind: 'start', schema: place.schema });
  else if (place.kind !== 'request') store.go({ kind: 'request', schema: place.schema, url, view: 'table' });
  else if (place.url === url) store.run();
  else store.go({ ...place, url });
}
